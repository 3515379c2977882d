{{/* Settings of every pod: Pod Security "restricted", and the user's values for pods. */}}
{{- define "kopiur.pod" -}}
{{- $with := .with -}}
serviceAccountName: {{ include "kopiur.name" . }}
automountServiceAccountToken: {{ .token | default false }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
{{- with .in.Values.global.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $with.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $with.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $with.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $with.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if gt (int ($with.replicas | default 1)) 1 }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: {matchLabels: {{ include "kopiur.selector" $ | fromYaml | toJson }}}
  {{- end }}
{{- end }}
{{- end }}

{{- define "kopiur.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- with .with.resources }}
resources: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Objects next to the pods of a part: its ServiceAccount and its PodDisruptionBudget. */}}
{{- define "kopiur.beside" -}}
apiVersion: v1
kind: ServiceAccount
metadata: {{- include "kopiur.metadata" . | nindent 2 }}
automountServiceAccountToken: false
{{- if gt (int (.with.replicas | default 1)) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- include "kopiur.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  selector: {matchLabels: {{ include "kopiur.selector" . | fromYaml | toJson }}}
{{- end }}
{{- end }}
