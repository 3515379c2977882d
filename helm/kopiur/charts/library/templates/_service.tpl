{{/* A service. Its chart passes `in`, and optionally `env`, `token` (for the Kubernetes API), `egress`, `configured` (it reads the configurations
       of systems), and an additional `door` {name, port, secret}: a port, and optionally the Secret with its certificate.
       With global.together all services run in the gateway's pods, with one login that has the rights of all of them. */}}
{{- define "kopiur.service" -}}
{{- $part := .in.Chart.Name -}}
{{- $together := .in.Values.global.together -}}
{{- if or (eq $part "gateway") (not $together) -}}
{{- $with := mergeOverwrite (deepCopy .in.Values.global.service) (omit .in.Values "global") -}}
{{- $it := merge (dict "part" $part "with" $with "image" "services" "login" ($together | ternary "services" $part)) . -}}
apiVersion: apps/v1
kind: Deployment
metadata: {{- include "kopiur.metadata" $it | nindent 2 }}
spec:
  replicas: {{ $with.replicas }}
  selector: {matchLabels: {{ include "kopiur.selector" $it | fromYaml | toJson }}}
  template:
    metadata:
      labels:
        {{- include "kopiur.labels" $it | nindent 8 }}
        {{- with $with.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- $annotations := $with.podAnnotations | default dict }}
      {{- if .configured }}{{ $annotations = merge (dict "checksum/systems" (toYaml .in.Values.global.systems | sha256sum)) $annotations }}{{ end }}
      {{- with $annotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- include "kopiur.pod" $it | nindent 6 }}
      containers:
        - name: {{ $part }}
          image: {{ include "kopiur.image" $it }}
          imagePullPolicy: {{ .in.Values.global.image.pullPolicy }}
          command: [/usr/bin/kopiur-{{ $it.login }}]
          env:
            - {name: KOPIUR_CLUSTER, value: {{ .in.Values.global.cluster | quote }}}
            - {name: KOPIUR_ADAPTER, value: kubernetes}
            - {name: KOPIUR_HTTP, value: "0.0.0.0:8080"}
            {{- include "kopiur.bus.env" $it | nindent 12 }}
            {{- with .env }}{{ . | nindent 12 }}{{ end }}
            {{- with $with.extraEnv }}{{ toYaml . | nindent 12 }}{{ end }}
          {{- if .configured }}{{ with include "kopiur.configuration.variables" .in }}
          envFrom: {{- . | nindent 12 }}
          {{- end }}{{ end }}
          ports:
            - {name: http, containerPort: 8080}
            {{- with .door }}
            - {name: {{ .name }}, containerPort: {{ .port }}}
            {{- end }}
          {{- include "kopiur.container" $it | nindent 10 }}
          # It listens once it is connected to the bus. It waits a minute for that, then exits with the reason.
          startupProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 1, failureThreshold: 90}
          livenessProbe: {httpGet: {path: /healthz, port: http}, periodSeconds: 10, timeoutSeconds: 5}
          readinessProbe: {httpGet: {path: /readyz, port: http}, periodSeconds: 2, timeoutSeconds: 5}
          volumeMounts:
            {{- include "kopiur.bus.mount" $it | nindent 12 }}
            {{- if (.door | default dict).secret }}
            - {name: {{ .door.name }}, mountPath: /etc/kopiur/{{ .door.name }}, readOnly: true}
            {{- end }}
            {{- if .configured }}{{ with include "kopiur.configuration.mount" .in }}{{ . | nindent 12 }}{{ end }}{{ end }}
      volumes:
        {{- include "kopiur.bus.volume" $it | nindent 8 }}
        {{- if (.door | default dict).secret }}
        - {name: {{ .door.name }}, secret: {secretName: {{ .door.secret }}, defaultMode: 0440}}
        {{- end }}
        {{- if .configured }}{{ with include "kopiur.configuration.volume" .in }}{{ . | nindent 8 }}{{ end }}{{ end }}
---
{{ include "kopiur.beside" $it }}
{{- if .in.Values.global.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{- include "kopiur.metadata" $it | nindent 2 }}
spec:
  podSelector: {matchLabels: {{ include "kopiur.selector" $it | fromYaml | toJson }}}
  policyTypes: [Ingress, Egress]
  ingress: [{ports: [{port: http}{{ with .door }}, {port: {{ .name }}}{{ end }}]}]  # health and metrics
  egress:
    - ports: [{port: 53, protocol: UDP}, {port: 53}]
    {{- if include "kopiur.bus.own" $it }}
    - ports: [{port: 4222}]
      to: [{podSelector: {matchLabels: {{ include "kopiur.selector" (dict "in" .in "part" "nats") | fromYaml | toJson }}}}]
    {{- else }}
    - ports: [{port: {{ (urlParse (include "kopiur.bus.url" $it | splitList "," | first)).host | splitList ":" | last }}}]
    {{- end }}
    {{- with .egress }}{{ . | nindent 4 }}{{ end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The environment of mover-orchestration, in its own pods or the gateway's. */}}
{{- define "kopiur.orchestration.env" -}}
- {name: KOPIUR_COPY_METHOD, value: {{ .Values.global.copyMethod }}}
- {name: KOPIUR_GROUP_BY, value: {{ .Values.global.groupBy }}}
- {name: KOPIUR_POD_START_SECONDS, value: {{ quote .Values.global.podStartDeadlineSeconds }}}
- {name: KOPIUR_NAMESPACE, value: {{ .Release.Namespace }}}
{{- with .Values.global.systems.hypershift.endpoint }}
- {name: KOPIUR_ETCD_STORE_ENDPOINT, value: {{ quote . }}}
{{- end }}
{{- if and .Values.global.systems.openbao.enabled .Values.global.systems.openbao.restartVoters }}
- {name: KOPIUR_OPENBAO_RESTART_VOTERS, value: "true"}
{{- end }}
{{- with .Values.global.traces }}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ quote . }}}
{{- end }}
{{- end }}
{{- define "kopiur.retention.env" -}}
{{- with .Values.global.systems.hypershift }}{{ if .enabled }}
- {name: KOPIUR_FINISHED_KEPT, value: {{ quote .keep }}}
{{- end }}{{ end }}
{{- end }}
{{- define "kopiur.orchestration.egress" -}}
{{- with .Values.global.traces -}}
{{- $host := (urlParse .).host -}}
- ports: [{port: {{ contains ":" $host | ternary (splitList ":" $host | last) "80" }}}]
{{- end }}
{{- end }}
