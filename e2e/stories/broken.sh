#!/usr/bin/env bash
# Broken manifests next to good ones: kopiur up and kopiur status report each with file, line and field. Good objects keep working, and a
# corrected file is applied.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
folder=$home/manifests
recipe unknown-field | sed '/^  sources:/a\  sauces: []' >"$folder/unknown-field.yaml"
repository two "$home/elsewhere" | sed 's/backend: .*/backend: {filesystem: {path: \/x}, s3: {bucket: abc}}/' >"$folder/two-backends.yaml"
recipe bad-template | sed '/^spec:/a\  identity: {username: "{{ oops }}"}' >"$folder/bad-template.yaml"
schedule bad-cron '61 * * * *' >"$folder/wrong-cron.yaml"
schedule bad-zone '0 3 * * *' 'timezone: Mars/Olympus' >"$folder/bad-zone.yaml"
recipe docs | sed 's/name: docs/name: ..\/..\/etc/' >"$folder/climbs.yaml"
{ secret big x; printf 'data: {big: "'; head -c 3750000 /dev/zero | base64 -w0; printf '"}\n'; } >"$folder/five-megabytes.yaml"
printf 'kind: [unclosed\n' >"$folder/no-yaml.yaml"
repository no-secret "$home/no-secret" not-there >"$folder/no-secret.yaml"
start_up
await 60 "the good repository is Ready" is repository main status.phase Ready

# told PLACE TEXT...: kopiur status and kopiur up name the place together with each text.
told() {
  local place=$1 line; shift
  line=$(status -o json | jq -r --arg at "$place" '.[] | select(.area == "manifest" and .subject == $at).text')
  [ -n "$line" ] || die "kopiur status does not name $place: $(status)"
  says "$line" "$@"
  line=$(grep -F "$place: " "$home/up.txt") || die "kopiur up does not name $place: $(cat "$home/up.txt")"
  says "$line" "$@"
  echo "ok: $place: $*"
}
told unknown-field.yaml:8 "spec.sauces" "no such field" "Did you mean"
told two-backends.yaml:6 "spec.backend" "Exactly one" "s3 and filesystem are"
told wrong-cron.yaml:8 "spec.schedule.cron" "61 is out of range"
told bad-zone.yaml:9 "spec.schedule.timezone" "Mars/Olympus"
told bad-template.yaml:6 "spec.identity.username" "{{ oops }}"
told five-megabytes.yaml:6 "larger than 3 MiB"
told climbs.yaml:2 "metadata.name" "../../etc"
told no-yaml.yaml:2 "not YAML"
waits() { [ "$(ready_condition repository no-secret reason)" = SecretMissing ]; }
await 10 "the repository without its Secret waits" waits
says "$(status)" "default/no-secret" "Waiting for Secret default/not-there"
[ "$(ready_condition repository no-secret message)" = "Waiting for Secret default/not-there, which the repository names in spec.encryption.passwordSecretRef: create it, or correct the name." ] || die "the missing Secret is not named"
[ ! -e "$home/data/objects/BackupConfig/default/unknown-field.json" ] || die "a refused manifest became an object"
[ -z "$(find "$home" -name 'etc*')" ] || die "a name climbed out of the data folder"

said=$(k apply -f "$folder/two-backends.yaml" 2>&1) && die "kopiur apply took two backends"
says "$said" "two-backends.yaml:" "spec.backend" "Exactly one"
echo "ok: kopiur apply refuses with the same words"

name=$(backup_now)
[ -n "$name" ] || die "the good config's backup did not succeed: $(k backups)"
recipe unknown-field >"$folder/unknown-field.yaml"
secret not-there a-story >"$folder/late-secret.yaml"
await 15 "the corrected config is there" k get config unknown-field
await 30 "with its Secret the other repository is Ready" is repository no-secret status.phase Ready
said=$(status)
! grep -q unknown-field.yaml <<<"$said" || die "kopiur status still speaks of a file that is corrected"
each_once 1
echo "ok: the good ones worked all the time"

# What only a cluster has is refused in words, whichever of its kinds asks for it.
storage='storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: prod, '
printf 'apiVersion: hypershift.openshift.io/v1beta1\nkind: EtcdBackup\nmetadata: {name: one, namespace: default}\nspec: {%scredentialsSecretRef: {name: x}}}\n' "$storage" >"$home/etcd.yaml"
printf -- '---\napiVersion: hypershift.openshift.io/v1beta1\nkind: HCPEtcdBackup\nmetadata: {name: two, namespace: default}\nspec: {storage: {%scredentials: {name: x}}}}\n' "$storage" >>"$home/etcd.yaml"
k apply -f "$home/etcd.yaml" >>"$home/applied"
refused() { k get "$1" "$2" -o json | jq -e '.status.conditions[] | select(.reason == "BackupFailed" and .message == "An etcd is backed up only in a cluster.")'; }
await 15 "an EtcdBackup is refused in words" refused etcdbackup one
await 15 "an HCPEtcdBackup too" refused hcpetcdbackup two
printf 'apiVersion: openbao.org/v1alpha1\nkind: OpenBaoRestore\nmetadata: {name: back, namespace: default}\nspec: {cluster: vault, source: {key: a, target: {endpoint: https://store.example, bucket: bao}}, jwtAuthRole: r}\n' >"$home/bao.yaml"
k apply -f "$home/bao.yaml" >>"$home/applied"
not_here() { k get openbaorestore back -o json | jq -e '.status | .phase == "Failed" and (.message | startswith("OpenBao is restored in a cluster only"))'; }
await 15 "an OpenBaoRestore too" not_here
