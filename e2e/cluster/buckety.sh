#!/usr/bin/env bash
# with_node.sh --plain buckety.sh: Buckety on a real cluster, installed by the chart, beside real object stores (IMPLEMENTATIONS: versitygw, minio): the
# scenarios of examples/buckety. One manifest makes a bucket and backs up into it. The key of the store is in Secrets only, a tenant cannot get another's
# bucket, and the chart's rights suffice.
export IMPLEMENTATIONS=${IMPLEMENTATIONS:-versitygw}
source "$(dirname "${BASH_SOURCE[0]}")/buckety_chart.sh"
for each in ${IMPLEMENTATIONS//,/ }; do need "${each^^}"; done
backend=s3

start_versitygw() {
  mkdir -p "$home"/stores/versitygw{,.versions}
  "$KOPIUR_VERSITYGW" --access rootkey --secret "$canary" --port 10.77.0.1:7070 posix --versioning-dir "$home/stores/versitygw.versions" "$home/stores/versitygw" >"$home/versitygw.log" 2>&1 &
}
start_minio() { MINIO_ROOT_USER=rootkey MINIO_ROOT_PASSWORD=$canary HOME=$home "$KOPIUR_MINIO" server --address 10.77.0.1:9000 "$home/stores/minio" >"$home/minio.log" 2>&1 & }

for each in services mover nats; do import_image "$each"; done
import_as rclone rclone/rclone:1
prepare
servers 1
for each in ${IMPLEMENTATIONS//,/ }; do "start_$each"; pids+=($!); done
kube create namespace object-stores >>"$home/made"
{ service object-stores versitygw 7070; service object-stores minio 9000; } | kube apply -f - >>"$home/made"
install_buckety "$root/examples/buckety/overlays/${IMPLEMENTATIONS%%,*}" ROOT_KEY=rootkey ROOT_SECRET="$canary"
run_scenarios

store_endpoint=http://10.77.0.1:$([ "${IMPLEMENTATIONS%%,*}" = minio ] && echo 9000 || echo 7070)
in_store() { env -i PATH="$PATH" HOME="$home" rclone --config "" --s3-provider Other --s3-endpoint "$store_endpoint" --s3-access-key-id rootkey --s3-secret-access-key "$canary" --s3-no-check-bucket "$@" 2>>"$home/rclone.log"; }
kube create namespace victim >>"$home/made"
buckety ledger victim ', name: "victim-ledger", defaultAccess: {credentialsSecretName: ledger}' | kube apply -f - >>"$home/made"
await 60 "the victim has a bucket" ready_reason victim ledger EnsuredOnBackend
echo precious | in_store rcat :s3:victim-ledger/file
tenants_apart
[ "$(in_store cat :s3:victim-ledger/file)" = precious ] || die "the victim's data is gone"

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

password_kept
rights_suffice
