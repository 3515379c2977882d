{{/* The version of the images: the chart's, which a sub-chart cannot read. check.sh compares them. */}}
{{- define "kopiur.version" -}}0.1.0{{- end }}

{{- define "kopiur.fullname" -}}
{{- $given := .Values.global.fullnameOverride -}}
{{- if $given }}{{ $given }}{{ else if contains "kopiur" .Release.Name }}{{ .Release.Name | trunc 40 }}{{ else }}{{ printf "%s-kopiur" (.Release.Name | trunc 33) }}{{ end }}
{{- end }}

{{/* The name of the objects of `part`. */}}
{{- define "kopiur.name" -}}{{ include "kopiur.fullname" .in }}-{{ .part }}{{- end }}

{{- define "kopiur.selector" -}}
app.kubernetes.io/name: kopiur
app.kubernetes.io/instance: {{ .in.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "kopiur.labels" -}}
{{ include "kopiur.selector" . }}
app.kubernetes.io/part-of: kopiur
app.kubernetes.io/version: {{ include "kopiur.version" . | quote }}
app.kubernetes.io/managed-by: {{ .in.Release.Service }}
helm.sh/chart: kopiur-{{ include "kopiur.version" . }}
{{- end }}

{{- define "kopiur.metadata" -}}
name: {{ include "kopiur.name" . }}
namespace: {{ .in.Release.Namespace }}
labels: {{- include "kopiur.labels" . | nindent 2 }}
{{- end }}

{{- define "kopiur.image" -}}
{{- $image := .in.Values.global.image -}}
{{- $name := get $image .image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $name }}
{{- if not (contains "@" $name) }}:{{ $image.tag | default (include "kopiur.version" .) }}{{ end }}
{{- end }}

{{/* Data of the Secret `secret`: the existing data, or a new certificate for the Service `host` with its CA. */}}
{{- define "kopiur.certificate" -}}
{{- $ns := .in.Release.Namespace -}}
{{- $data := (lookup "v1" "Secret" $ns .secret | default dict).data -}}
{{- if not $data -}}
{{- $names := list "localhost" -}}
{{- range list .host (printf "%s.%s.svc" .host $ns) (printf "%s.%s.svc.cluster.local" .host $ns) -}}
{{- $names = concat $names (list . (printf "*.%s" .)) -}}
{{- end -}}
{{- $ca := genCA (printf "%s authority" .host) 3650 -}}
{{- $pair := genSignedCert .host nil $names 3650 $ca -}}
{{- $data = dict "ca.crt" (b64enc $ca.Cert) "tls.crt" (b64enc $pair.Cert) "tls.key" (b64enc $pair.Key) -}}
{{- end -}}
{{ toYaml $data }}
{{- end }}
