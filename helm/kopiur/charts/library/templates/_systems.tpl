{{/* The systems that are on, separated by commas. */}}
{{- define "kopiur.systems" -}}kopiur{{ range $name, $it := .Values.global.systems }}{{ if $it.enabled }},{{ $name }}{{ end }}{{ end }}{{- end }}

{{/* The configurations of systems for a pod that reads them: files in /etc/kopiur/config, and the variables that they name. */}}
{{- define "kopiur.configuration.volume" -}}
{{- with .Values.global.systems.buckety }}
{{- if .enabled }}
- name: config
  configMap:
    name: {{ .configMap | default (include "kopiur.name" (dict "in" $ "part" "buckety")) }}
    items: [{key: buckety-controller.yaml, path: buckety-controller.yaml}]
{{- end }}
{{- end }}
{{- end }}
{{- define "kopiur.configuration.mount" -}}
{{- if .Values.global.systems.buckety.enabled }}
- {name: config, mountPath: /etc/kopiur/config, readOnly: true}
{{- end }}
{{- end }}
{{- define "kopiur.configuration.variables" -}}
{{- with .Values.global.systems.buckety }}
{{- if and .enabled .secret }}
- secretRef: {name: {{ .secret }}}
{{- end }}
{{- end }}
{{- end }}

{{/* The environment of the provisioner, in its own pods or the gateway's. */}}
{{- define "kopiur.provisioner.env" -}}
{{- with .Values.global.systems.buckety }}
{{- if .enabled }}
- {name: KOPIUR_RECHECK, value: {{ quote .recheckSeconds }}}
{{- end }}
{{- end }}
{{- end }}
{{- define "kopiur.provisioner.egress" -}}
{{- with .Values.global.systems.buckety }}
{{- if .enabled }}
- ports: [{{ range $i, $port := .ports }}{{ if $i }}, {{ end }}{port: {{ $port }}}{{ end }}]
{{- end }}
{{- end }}
{{- end }}
