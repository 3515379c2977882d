#!/usr/bin/env bash
# Two owners of one definition: HyperShift's operator may have installed the kind HCPEtcdBackup before the chart, or apply it over the chart's.
# In both cases the chart leaves it alone: when it is installed, upgraded, switched off and uninstalled.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
start_api
definition=hcpetcdbackups.hypershift.openshift.io
on=(--set global.systems.hypershift.enabled=true,global.webhook.enabled=false) off=(--set global.systems.hypershift.enabled=false,global.webhook.enabled=false)

# theirs: prints the definition as HyperShift's operator has it.
theirs() {
  kube create --dry-run=client -o json -f "$root/proto/schema/generated/crds/hcpetcdbackups.yaml" | jq 'del(.metadata.labels) |
    .metadata.annotations = {"feature-gate.release.openshift.io/HCPEtcdBackup": "true"} |
    .spec.versions[0].schema.openAPIV3Schema.description = "HyperShift has this."'
}
# state: prints the definition and its object, except what every write changes.
state() {
  kube get crd "$definition" -o json | jq -S '{metadata: (.metadata | del(.resourceVersion)), spec}'
  kube get hcpetcdbackups one -o jsonpath='{.metadata.uid}'
}
one() {
  await 30 "the kind is served" kube wait --for=condition=Established --timeout=0 "crd/$definition"
  await 30 "an object is taken" eval "sed 's/name: nightly/name: one/; s/namespace: media/namespace: default/' '$root/proto/test/bad/hcpetcdbackup-status-empty.yaml' | kube apply -f - >>'$home/made'"
}
# stays WHEN: the definition and its object are what they were.
stays() { state >"$home/now"; diff "$home/before" "$home/now" >"$home/difference" || die "$1 changed the definition of HyperShift: $(cat "$home/difference")"; }
# remains_through_all: no act of the chart changes them.
remains_through_all() {
  helm upgrade kopiur "$root/helm/kopiur" "${on[@]}"
  stays "an upgrade"
  helm upgrade kopiur "$root/helm/kopiur" "${off[@]}"
  stays "to switch the system off"
  helm upgrade kopiur "$root/helm/kopiur" "${on[@]}"
  stays "to switch the system on"
  helm uninstall kopiur
  stays "an uninstall"
}

theirs | kube create -f - >>"$home/made"
one
state >"$home/before"
helm install kopiur "$root/helm/kopiur" --create-namespace "${on[@]}"
stays "an install"
kube get crd etcdbackups.hypershift.openshift.io >>"$home/made" || die "the chart did not install its other kind"
remains_through_all
echo "ok: a definition that was there first is left alone"

kube delete crd "$definition" etcdbackups.hypershift.openshift.io >>"$home/made"
helm install kopiur "$root/helm/kopiur" "${on[@]}"
[ "$(kube get crd "$definition" -o jsonpath='{.metadata.labels.app\.kubernetes\.io/part-of}')" = kopiur ] || die "the chart did not install its kind"
one
helm upgrade kopiur "$root/helm/kopiur" "${on[@]}"
kube get crd "$definition" >>"$home/made" || die "an upgrade removed the kind"
theirs | kube apply --server-side --force-conflicts --field-manager=hypershift -f - >>"$home/made"
state >"$home/before"
grep -q "HyperShift has this" "$home/before" || die "HyperShift's definition was not applied: $(cat "$home/before")"
remains_through_all
echo "ok: a definition that HyperShift applied over ours is left alone"
