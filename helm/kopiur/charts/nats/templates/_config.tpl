{{/* files/rights.yaml without the services that are off; with global.together plus a login that has the rights of all services. */}}
{{- define "kopiur.nats.rights" -}}
{{- $rights := .Files.Get "files/rights.yaml" | fromYaml -}}
{{- if not .Values.global.systems.buckety.enabled }}{{ $rights = omit $rights "provisioner" }}{{ end -}}
{{- if .Values.global.together -}}
{{- $all := list -}}
{{- range $login, $own := omit $rights "everybody" "requests" }}{{ $all = concat $all $own | uniq }}{{ end -}}
{{- $_ := set $rights "services" $all -}}
{{- end -}}
{{ toYaml $rights }}
{{- end }}
{{- define "kopiur.nats.variable" -}}{{ . | upper | replace "-" "_" }}_PASSWORD{{- end }}

{{- define "kopiur.nats.config" -}}
server_name: $POD_NAME
listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
max_payload: 4MB
jetstream {
  store_dir: /data
  max_file_store: {{ .with.storage.size }}
  sync_interval: always  # what was acknowledged is on the disk
}
tls { cert_file: /etc/nats-tls/tls.crt, key_file: /etc/nats-tls/tls.key }
{{- if .many }}
cluster {
  name: {{ .host }}
  listen: "0.0.0.0:6222"
  no_advertise: true  # addresses of pods are in no certificate
  tls { cert_file: /etc/nats-tls/tls.crt, key_file: /etc/nats-tls/tls.key, ca_file: /etc/nats-tls/ca.crt, verify: true }
  routes: [
    {{- range $i := until (int .with.replicas) }}
    "nats://{{ $.host }}-{{ $i }}.{{ $.host }}:6222"
    {{- end }}
  ]
}
{{- end }}
{{- $acks := "kopiur.v1.ack.>" }}
accounts {
  services {
    jetstream: enabled
    users: [
      { user: admin, password: $ADMIN_PASSWORD }
      {{- range $login, $own := omit .rights "everybody" "requests" }}
      { user: {{ $login }}, password: ${{ include "kopiur.nats.variable" $login }}, permissions: {
        publish: {{ concat $own $.rights.everybody | toRawJson }}
        subscribe: ["_INBOX.>"] } }
      {{- end }}
    ]
    exports: [
      {{- range .rights.requests }}
      { service: {{ quote . }}, accounts: [outsiders] }
      {{- end }}
      { stream: {{ quote $acks }}, accounts: [outsiders] }
    ]
  }
  outsiders {
    users: [{ user: requests, password: $REQUESTS_PASSWORD, permissions: {
      publish: {{ toRawJson .rights.requests }}
      subscribe: [{{ quote $acks }}, "_INBOX.>"] } }]
    imports: [
      {{- range .rights.requests }}
      { service: { account: services, subject: {{ quote . }} } }
      {{- end }}
      { stream: { account: services, subject: {{ quote $acks }} } }
    ]
  }
}
{{- end }}
