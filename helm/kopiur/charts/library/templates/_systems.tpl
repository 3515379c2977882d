{{/* The systems that are on, separated by commas. */}}
{{- define "kopiur.systems" -}}kopiur{{ range $name, $it := .Values.global.systems }}{{ if $it.enabled }},{{ $name }}{{ end }}{{ end }}{{- end }}

{{/* "true" where a CustomResourceDefinition is not this chart's to write: crds.except names it, or it exists and somebody else serves it. HyperShift's
     operator has a definition of HCPEtcdBackup too, which it marks with its feature gate, and may apply over ours. A chart that is only rendered
     sees no cluster: then crds.except decides alone. */}}
{{- define "kopiur.crd.of_others" -}}
{{- $name := .crd.metadata.name }}
{{- $there := has (index .crd.metadata.labels "app.kubernetes.io/component") (list "hypershift" "openbao") | ternary (lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" $name) dict }}
{{- $ours := eq (dig "metadata" "labels" "app.kubernetes.io/part-of" "" $there) "kopiur" }}
{{- range $key, $_ := dig "metadata" "annotations" dict $there }}{{ if hasPrefix "feature-gate.release.openshift.io/" $key }}{{ $ours = false }}{{ end }}{{ end }}
{{- if or (has $name .in.Values.crds.except) (and $there (not $ours)) }}true{{ end }}
{{- end }}

{{/* The operators whose kinds are left to them, and the images of the programs of systems. */}}
{{- define "kopiur.systems.env" -}}
{{- $operators := list }}{{ range $name, $it := .Values.global.systems }}{{ if and $it.enabled $it.operator }}{{ $operators = append $operators (printf "%s=%s" $name $it.operator) }}{{ end }}{{ end }}
{{- if $operators }}
- {name: KOPIUR_IMAGES, value: {{ printf "executor=%s" (include "kopiur.image" (dict "in" . "image" "executor")) | quote }}}
- {name: KOPIUR_OTHER_OPERATORS, value: {{ join "," $operators | quote }}}
{{- end }}
{{- end }}

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
