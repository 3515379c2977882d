{{- define "kopiur.bus.own" -}}{{ if not .in.Values.global.bus.url }}yes{{ end }}{{- end }}
{{- define "kopiur.bus.host" -}}{{ include "kopiur.name" (dict "in" .in "part" "nats") }}{{- end }}
{{- define "kopiur.bus.secret" -}}{{ .in.Values.global.bus.secret | default (include "kopiur.name" (dict "in" .in "part" "bus")) }}{{- end }}
{{- define "kopiur.bus.login" -}}{{ if include "kopiur.bus.own" . }}password{{ else }}{{ .in.Values.global.bus.login }}{{ end }}{{- end }}
{{- define "kopiur.bus.ca" -}}{{ if or (include "kopiur.bus.own" .) .in.Values.global.bus.ca }}yes{{ end }}{{- end }}
{{/* One name for all servers of the chart: each can serve every stream. */}}
{{- define "kopiur.bus.url" -}}{{ .in.Values.global.bus.url | default (printf "tls://%s:4222" (include "kopiur.bus.host" .)) }}{{- end }}

{{- define "kopiur.bus.files" -}}
{{- if include "kopiur.bus.ca" . }}
- {key: ca.crt, path: ca.crt}
{{- end }}
{{- $login := include "kopiur.bus.login" . }}
{{- if eq $login "password" }}
- {key: {{ .login | default .part }}, path: password}
{{- else if eq $login "credentials" }}
- {key: {{ .login | default .part }}.creds, path: bus.creds}
{{- end }}
{{- end }}

{{/* The connection of a part to the bus. Only its own login is mounted from the Secret, as files. */}}
{{- define "kopiur.bus.volume" -}}
{{- with include "kopiur.bus.files" . }}
- name: bus
  secret:
    secretName: {{ include "kopiur.bus.secret" $ }}
    defaultMode: 0440
    items: {{- . | indent 6 }}
{{- end }}
{{- end }}
{{- define "kopiur.bus.mount" -}}
{{- with include "kopiur.bus.files" . }}
- {name: bus, mountPath: /etc/kopiur/bus, readOnly: true}
{{- end }}
{{- end }}
{{- define "kopiur.bus.env" -}}
- {name: KOPIUR_NATS_URL, value: {{ include "kopiur.bus.url" . | quote }}}
{{- $login := include "kopiur.bus.login" . }}
{{- if eq $login "password" }}
- {name: KOPIUR_NATS_USER, value: {{ .login | default .part }}}
- {name: KOPIUR_NATS_PASSWORD_FILE, value: /etc/kopiur/bus/password}
{{- else if eq $login "credentials" }}
- {name: KOPIUR_NATS_CREDENTIALS, value: /etc/kopiur/bus/bus.creds}
{{- end }}
{{- if include "kopiur.bus.ca" . }}
- {name: KOPIUR_NATS_CA_FILE, value: /etc/kopiur/bus/ca.crt}
{{- end }}
{{- end }}
