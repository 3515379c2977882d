#!/usr/bin/env bash
# A fresh data folder and one manifest: a Buckety, a Repository that has its bucket from it, a BackupConfig, a Backup; a Restore gives the same bytes
# back. Nobody makes a bucket or copies a key. While the store is not there the Repository and the Backup wait with BucketyNotReady. Another
# consumer does not take the repository's credentials away, and the bucket is not deleted while a Repository has its backups in it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home"/{manifests,config,store,source/folder}
canary=root-secret-$RANDOM$RANDOM$RANDOM
port=$(free_ports 1)
cat >"$home/config/buckety-controller.yaml" <<YAML
backends:
  - name: objects
    driver: s3
    config: {endpoint: "http://127.0.0.1:$port", region: us-east-1, forcePathStyle: true, implementation: versitygw, accessKeyID: root, secretAccessKey: "\${ROOT_SECRET}"}
YAML
head -c 1000000 /dev/urandom >"$home/source/data.bin"
echo one >"$home/source/folder/file"
{
  secret password a-story
  cat <<'YAML'
---
apiVersion: buckety.yolean.se/v1alpha1
kind: Buckety
metadata: {name: photos, namespace: default}
spec: {backend: objects, retentionPolicy: Delete, defaultAccess: {credentialsSecretName: photos-bucket}}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: main, namespace: default}
spec:
  backend: {s3: {bucketyRef: {name: photos}, prefix: kopia/}}
  encryption: {passwordSecretRef: {name: password}}
  create: {enabled: true}
YAML
  volume source "$home/source"
  recipe docs
  backup_of docs first
  empty_claim back
  restore_of back first back
} >"$home/manifests/all.yaml"

reason_is() { [ "$(ready_condition "$1" "$2" reason)" = "$3" ]; }
apply() { printf "$@" >"$home/one.yaml" && k apply -f "$home/one.yaml" >>"$home/applied.txt"; }
backup_waits() { [ "$(ready_condition backup "$1" reason)" = BucketyNotReady ]; }
objects_in() { find "$home/store/photos" -type f 2>/dev/null | wc -l; }

export ROOT_SECRET=$canary KOPIUR_RECHECK=5
start_up --config "$home/config"
await 60 "the repository waits for its bucket" reason_is repository main BucketyNotReady
says "$(ready_condition repository main message)" "Buckety default/photos" spec.backend.s3.bucketyRef
await 60 "the Backup says so too" backup_waits first
says "$(ready_condition backup first message)" "Buckety default/photos"
"$KOPIUR_VERSITYGW" --access root --secret "$canary" --port "127.0.0.1:$port" posix "$home/store" >>"$home/servers.log" 2>&1 & background+=($!)
await 90 "the store comes: the Buckety is Ready" reason_is buckety photos EnsuredOnBackend
await 90 "the repository is Ready" is repository main status.phase Ready
await 90 "the Backup that has waited Succeeded" is backup first status.phase Succeeded
await 90 "the Restore is Completed" is restore back status.phase Completed
diff -r "$home/source" "$data/volumes/default/back" >&2 || die "other bytes came back"
[ "$(objects_in)" -gt 0 ] && [ -d "$home/store/photos/kopia" ] || die "the backups are not in the bucket photos, below the prefix"
[ "$(field backup first status.job.attempts)" = 1 ] || die "waiting has cost attempts: $(field backup first status.job.attempts)"
says "$(k ls first /)" data.bin folder
echo "ok: a bucket, a repository and a backup from one manifest"

apply -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: BucketyAccess\nmetadata: {name: reader, namespace: default}\nspec: {bucketyRef: {name: photos}, credentialsSecretName: photos-reader}\n'
await 60 "another consumer has its Secret" reason_is bucketyaccess reader SecretMinted
second=$(backup_now)
is backup "$second" status.phase Succeeded || die "the second Backup is $(field backup "$second" status.phase)"
echo "ok: another consumer takes nothing away"

k delete buckety photos >>"$home/applied.txt"
k delete bucketyaccess reader >>"$home/applied.txt"
await 60 "its deletion is held up by the repository" reason_is buckety photos DeletionBlocked
await 60 "and by nobody else" gone bucketyaccess reader
repository_alone() { [[ $(ready_condition buckety photos message) == "These repositories have their backups in it; delete them first: Repository main." ]]; }
await 60 "it names the repository" repository_alone
[ "$(objects_in)" -gt 0 ] || die "the backups were deleted"
k delete backup "$second" >>"$home/applied.txt"
await 90 "a Backup is still deleted with its snapshot" gone backup "$second"
third=$(ask_backup)
await 60 "a new Backup waits" backup_waits "$third"
says "$(ready_condition backup "$third" message)" "it is being deleted"
k delete backup "$third" >>"$home/applied.txt"
await 60 "that Backup is gone" gone backup "$third"
k delete repository main >>"$home/applied.txt"
await 90 "the Buckety is deleted once no repository refers to it" gone buckety photos
[ ! -e "$home/store/photos" ] || die "its bucket is left, and its policy is Delete"
[ ! -e "$data/secrets/default/photos-bucket" ] || die "its Secret is left"
echo "ok: a bucket with backups is not deleted under its repository"

stop_up
found=$(grep -rlF -- "$canary" "$data" | grep -vE "^$data/(objects/Secret|secrets)/" || true)
[ -z "$found" ] || die "the secret is in $found"
echo "ok: the key of the store is nowhere but in Secrets"
