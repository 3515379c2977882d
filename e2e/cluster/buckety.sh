#!/usr/bin/env bash
# with_node.sh --plain buckety.sh: Buckety on a real cluster, installed by the chart, beside real object stores (IMPLEMENTATIONS: versitygw, minio): the
# scenarios of examples/buckety. One manifest makes a bucket and backs up into it. The key of the store is in Secrets only, a tenant cannot get another's
# bucket, and the chart's rights suffice.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
export IMPLEMENTATIONS=${IMPLEMENTATIONS:-versitygw}
for each in ${IMPLEMENTATIONS//,/ }; do need "${each^^}"; done
canary=root-secret-$RANDOM$RANDOM$RANDOM

start_versitygw() {
  mkdir -p "$home"/stores/versitygw{,.versions}
  "$KOPIUR_VERSITYGW" --access rootkey --secret "$canary" --port 10.77.0.1:7070 posix --versioning-dir "$home/stores/versitygw.versions" "$home/stores/versitygw" >"$home/versitygw.log" 2>&1 &
}
start_minio() { MINIO_ROOT_USER=rootkey MINIO_ROOT_PASSWORD=$canary HOME=$home "$KOPIUR_MINIO" server --address 10.77.0.1:9000 "$home/stores/minio" >"$home/minio.log" 2>&1 & }
# service NAME PORT: prints the store on the node as a Service of the cluster.
service() {
  printf -- '---\napiVersion: v1\nkind: Service\nmetadata: {name: %s, namespace: object-stores}\nspec: {clusterIP: None, ports: [{port: %s}]}\n' "$1" "$2"
  printf -- '---\napiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata: {name: %s, namespace: object-stores, labels: {kubernetes.io/service-name: %s}}\naddressType: IPv4\nports: [{port: %s}]\nendpoints: [{addresses: [10.77.0.1]}]\n' "$1" "$1" "$2"
}

for each in services mover nats rclone; do import_image "$each"; done
images_there tag "docker.io/library/$(cut -d' ' -f1 "$cluster/images/rclone.made")" docker.io/rclone/rclone:1
prepare
servers 1
for each in ${IMPLEMENTATIONS//,/ }; do "start_$each"; pids+=($!); done
kube create namespace object-stores >>"$home/made"
{ service versitygw 7070; service minio 9000; } | kube apply -f - >>"$home/made"
in_system create secret generic object-stores --from-literal=ROOT_KEY=rootkey --from-literal=ROOT_SECRET="$canary" >>"$home/made"
in_system apply -k "$root/examples/buckety/overlays/${IMPLEMENTATIONS%%,*}" >>"$home/made"
buckety=global.systems.buckety
release install --set nats.replicas=1,global.service.replicas=1,provisioner.replicas=3,$buckety.enabled=true,$buckety.configMap=buckety-controller,$buckety.secret=object-stores,$buckety.recheckSeconds=5

mkdir "$home/bin" && ln -s "$KOPIUR_KUBECTL" "$home/bin/kubectl"
(export PATH=$home/bin:$PATH KUBECONFIG=$home/admin.kubeconfig HOME=$home && bash "$root/examples/buckety/run.sh" ${SCENARIOS:-}) || die "a scenario has failed"

# A tenant who names another's bucket, or the Secret of another, gets neither; what it deletes is only its own.
store_endpoint=http://10.77.0.1:$([ "${IMPLEMENTATIONS%%,*}" = minio ] && echo 9000 || echo 7070)
in_store() { env -i PATH="$PATH" HOME="$home" rclone --config "" --s3-provider Other --s3-endpoint "$store_endpoint" --s3-access-key-id rootkey --s3-secret-access-key "$canary" --s3-no-check-bucket "$@" 2>>"$home/rclone.log"; }
buckety() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: Buckety\nmetadata: {name: %s, namespace: %s}\nspec: {backend: s3, retentionPolicy: Delete%s}\n' "$@"; }
of() { kube -n "$1" get "$2" "$3" -o json; }
ready_reason() { of "$1" buckety "$2" | jq -e --arg reason "$3" '.status.conditions[] | select(.type == "Ready" and .reason == $reason)'; }
for each in victim attacker; do kube create namespace "$each" >>"$home/made"; done
buckety ledger victim ', name: "victim-ledger", defaultAccess: {credentialsSecretName: ledger}' | kube apply -f - >>"$home/made"
await 60 "the victim has a bucket" ready_reason victim ledger EnsuredOnBackend
echo precious | in_store rcat :s3:victim-ledger/file
of victim buckety ledger | jq '.status' >"$home/status.json"
{ buckety thief attacker ', name: "victim-ledger", adoption: Adopt, defaultAccess: {credentialsSecretName: loot}'; buckety ledger attacker ', name: "victim-ledger"'; } | kube apply -f - >>"$home/made"
for each in thief ledger; do await 60 "the attacker's $each is refused the name" ready_reason attacker "$each" BackendResourceExists; done
# With the status of the victim copied onto it, as who may edit objects but not their status tries.
jq '{apiVersion: "buckety.yolean.se/v1alpha1", kind: "Buckety", metadata: {name: "copied", namespace: "attacker"}, spec: {backend: "s3", name: "victim-ledger", retentionPolicy: "Delete"}, status: .}' "$home/status.json" | kube apply -f - >>"$home/made"
await 60 "a copied status is worth nothing" ready_reason attacker copied BackendResourceExists
# An access of the attacker's namespace that names the victim's Buckety, and an owner reference to it.
printf 'apiVersion: buckety.yolean.se/v1alpha1\nkind: BucketyAccess\nmetadata: {name: reach, namespace: attacker, labels: {buckety.yolean.se/implicit: "true"}, ownerReferences: [{apiVersion: buckety.yolean.se/v1alpha1, kind: Buckety, name: ledger, uid: %s, controller: true}]}\nspec: {bucketyRef: {name: nowhere}, credentialsSecretName: loot}\n' "$(of victim buckety ledger | jq -r .metadata.uid)" | kube apply -f - >>"$home/made"
kube -n attacker delete bucketies --all --wait=false >>"$home/made"
no_bucketies() { [ -z "$(kube -n attacker get bucketies -o name)" ]; }
await 60 "the attacker's objects go" no_bucketies
[ "$(in_store cat :s3:victim-ledger/file)" = precious ] || die "the victim's data is gone"
[ -z "$(kube -n attacker get secret loot --ignore-not-found -o name)" ] || die "the attacker has the key"
ready_reason victim ledger EnsuredOnBackend >"$home/made.json" || die "the victim suffers"
echo "ok: a tenant gets neither the bucket nor the key of another"

# One manifest: backups without a bucket that somebody made.
claim source "$home/volumes/source" | k apply -f - >>"$home/made"
echo "a text" >"$home/volumes/source/file"
{
  buckety backups default ', name: "${namespace}-${name}", defaultAccess: {credentialsSecretName: backups-bucket}'
  printf -- '---\napiVersion: kopiur.home-operations.com/v1alpha1\nkind: Repository\nmetadata: {name: main, namespace: default}\nspec: {backend: {s3: {bucketyRef: {name: backups}}}, encryption: {passwordSecretRef: {name: password}}, create: {enabled: true}}\n'
  secret password a-story
  recipe docs
  backup_of docs first
} | k apply -f - >>"$home/made"
await 120 "a Backup into the bucket of a Buckety Succeeded" is backup first status.phase Succeeded
[ -n "$(in_store lsf :s3:default-backups --include 'kopia.repository*')" ] || die "there is no repository in the bucket"
k delete buckety backups --wait=false >>"$home/made"
await 60 "a bucket with backups stays while a Repository names it" ready_reason default backups DeletionBlocked
k delete backup first >>"$home/made"
k delete repository main >>"$home/made"
await 90 "it goes after its Repository" gone buckety backups

{ kube get bucketies,bucketyaccesses,events,configmaps,jobs,pods -A -o yaml; in_system logs -l app.kubernetes.io/part-of=kopiur --tail=-1 --all-containers --prefix; } >"$home/said.txt"
! grep -F -- "$canary" "$home/said.txt" || die "the key of the store is told"
! grep -rlF -- "$canary" "$home/volumes" || die "the key of the store is on the bus"
echo "ok: the key of the store is in Secrets only"
rights_suffice
