#!/usr/bin/env bash
# with_node.sh examples.sh: every file in examples/, in a cluster (those of Buckety: buckety.sh, those of HyperShift: etcd_install.sh, of OpenBao: bao_install.sh). CRDs, schemas and the webhook accept each file unchanged, and no field of
# it is dropped or changed. With passwords and paths edited, as its README says, everything becomes Ready; its BackupConfigs back up, and a
# restored claim has the same bytes.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
need VERSITYGW HELM
made=$(import_image mover)
webhook_here
start_services "${made%% *}"
mapfile -t files < <(find "$root/examples" -name '*.yaml' ! -path '*/buckety/*' ! -path '*/hypershift/*' ! -path '*/openbao/*' | sort)
for each in media home; do kube create namespace "$each" >>"$home/made"; done

apply_webhook Fail  # the API server refuses what the webhook cannot answer
refuses() { { schedule wrong '0 3 * * *' 'timezone: Mars/Olympus' | k apply --dry-run=server -f - 2>&1 || true; } | grep 'denied the request.*Mars/Olympus'; }
await 30 "the webhook refuses what cannot work" refuses

# documents FILE: one line per document; the API server's encoding of a Secret's stringData is no change.
documents() { jq -c 'if .kind == "List" then .items[] else . end | if .stringData then .data = (.data // {}) + (.stringData | map_values(@base64)) | del(.stringData) else . end' "$1"; }
# lost SENT STORED: the paths of fields that were sent but not stored unchanged.
lost() {
  jq -rn --slurpfile sent "$1" --slurpfile stored "$2" 'def id: "\(.kind) \(.metadata.namespace // "-")/\(.metadata.name)";
    ($stored | map({key: id, value: .}) | from_entries) as $there | $sent[] | id as $id
    | paths(type != "object" and type != "array" or length == 0) as $p | select((try ($there[$id] | getpath($p)) catch null) != getpath($p)) | "\($id): \($p | map(tostring) | join("."))"'
}
count=0
for file in "${files[@]}"; do
  kube create --dry-run=client -o json -f "$file" >"$home/sent.json" || die "${file#"$root"/} cannot be read"
  kube apply --server-side --validate=strict --dry-run=server -o json -f "$file" >"$home/stored.json" 2>"$home/said" || die "${file#"$root"/} is refused: $(cat "$home/said")"
  documents "$home/sent.json" >"$home/sent" && documents "$home/stored.json" >"$home/stored"
  [ -z "$(lost "$home/sent" "$home/stored")" ] || die "${file#"$root"/} is not stored as it was sent: $(lost "$home/sent" "$home/stored" | tr '\n' ' ')"
  count=$((count + $(wc -l <"$home/sent")))
done
echo "ok: $count objects of ${#files[@]} files are taken as they stand, field by field"

mkdir -p "$home/s3/my-backups" "$home/s3/shared-backups"
"$KOPIUR_VERSITYGW" --access gatewaykey --secret gateway-secret-1 --port 10.77.0.1:7070 posix "$home/s3" >"$home/s3.log" 2>&1 &
pids+=($!)
documents=$home/volumes/documents photos=$home/volumes/photos back=$home/volumes/back
mkdir -p "$documents" "$photos"
head -c 2000000 /dev/urandom >"$documents/data.bin" && echo "a photo" >"$photos/photo" && chown -R 65532:65532 "$documents" "$photos"
{ claim backups "$home/volumes/backups"; claim back "$back"; persistent_volume photos "$photos" photos media | sed 's/1Gi/50Gi/'; } | k apply -f - >>"$home/made"
# edited FILE: with this cluster's paths and passwords; a repository's folder is on a claim.
edited() {
  sed -E -e 's/^( *)endpoint: .*/\1endpoint: "10.77.0.1:7070"\n\1tls: {disableTls: true}/; s/(region:).*/\1 us-east-1/' -e 's/change-me-before-the-first-backup/a password of this cluster/; s/(AWS_ACCESS_KEY_ID:).*/\1 gatewaykey/; s/(AWS_SECRET_ACCESS_KEY:).*/\1 gateway-secret-1/' \
    -e 's|^( *)path: /srv/backups/kopia|\1path: /kopia\n\1pvcName: backups|' -e "s|path: /srv/documents|path: $documents|" "$1"
}
for file in "${files[@]}"; do edited "$file" | kube apply --server-side --validate=strict -f - >>"$home/made" || die "${file#"$root"/} is refused with other paths"; done

# Prints objects that are not Ready; a Maintenance is ready when it states its next run.
unready() {
  kube get repositories,clusterrepositories,backupconfigs,backupschedules,maintenances -A -o json |
    jq -r '.items[] | select((any(.status.conditions[]?; .type == "Ready" and .status == "True") or .status.full.nextScheduledAt != null) | not) | "\(.kind) \(.metadata.name)"'
}
all_ready() { unready >"$home/unready.log" && [ ! -s "$home/unready.log" ]; }
await 90 "every repository, recipe, schedule and Maintenance of the examples is Ready" all_ready
[ -n "$(field backupschedule documents status.nextSchedule.at)" ] || die "the schedule does not say when it fires next"

backup_of documents documents | k apply -f - >>"$home/made"
backup_of photos photos media | kube apply -f - >>"$home/made"
await 90 "a Backup by the recipe of one host Succeeded" is backup documents status.phase Succeeded
photos_saved() { [ "$(kube get backup photos -n media -o jsonpath='{.status.phase}')" = Succeeded ]; }
await 90 "a Backup into the shared repository Succeeded" photos_saved
printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: back}\nspec: {source: {backupRef: {name: documents}}, target: {pvcRef: {name: back}}}\n' | k apply -f - >>"$home/made"
await 90 "its Restore is Completed" is restore back status.phase Completed
diff -r "$documents" "$back" >"$home/difference" || die "the restored files differ: $(head -5 "$home/difference")"
echo "ok: and has the same bytes"
