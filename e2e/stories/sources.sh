#!/usr/bin/env bash
# One BackupConfig for several volumes, chosen by their labels. For a manual Backup, each volume gets a child Backup, and the parent reports
# their result. A schedule creates one each, too, and retention counts each volume separately, verified by kopia's own list. An unchanged
# volume is reported as such, if the BackupConfig says so, and not saved again.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home/manifests"
labelled() { volume "$1" "$home/$1" | sed "s/metadata: {name: $1, namespace: default}/metadata: {name: $1, namespace: default, labels: {backup: \"$2\"}}/"; }
for each in photos mail spare; do mkdir -p "$home/$each" && head -c 1000000 /dev/urandom >"$home/$each/data.bin"; done
{
  secret password a-story
  repository main "$home/repository"
  labelled photos yes; labelled mail yes; labelled spare no
  cat <<YAML
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupConfig
metadata: {name: docs, namespace: default}
spec:
  repository: {name: main}
  sources: [{pvcSelector: {labelSelector: {matchLabels: {backup: "yes"}}}}]
  retention: {keepLatest: 1}
YAML
  recipe once main spare && echo '  policy: {ignore: {ignoreIdenticalSnapshots: true}}'
} >"$home/manifests/all.yaml"
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

# of GROUP: the child Backups of that group.
of() { k get backups -o json | jq -c --arg group "$1" '[.items[] | select(.metadata.labels["kopiur.home-operations.com/group"] == $group)]'; }
parent=$(backup_now docs)
[ -n "$parent" ] || die "the Backup of both volumes failed"
of "$parent" >"$home/group"
[ "$(jq 'length' "$home/group")" = 2 ] || die "there are $(jq length "$home/group") Backups of it, and not one for each volume"
[ "$(jq -r '[.[].status.phase] | unique | join(" ")' "$home/group")" = Succeeded ] || die "they are $(jq -c '[.[].status.phase]' "$home/group")"
[ "$(jq -r '[.[].status.resolved.identity.sourcePath // .[].spec.sourcePath] | sort | unique | join(" ")' "$home/group")" = "/pvc/mail /pvc/photos" ] || die "they are of $(jq -c '[.[].spec.sourcePath]' "$home/group")"
says "$(ready_condition backup "$parent" message)" "All 2 sources are saved"
[ "$(field backup "$parent" status.stats.sizeBytes)" = 2000000 ] || die "they come to $(field backup "$parent" status.stats.sizeBytes) bytes"
[ "$(snapshots | wc -l)" = 2 ] || die "the repository has $(snapshots | wc -l) snapshots"

# Scheduled Backups are subject to retention: the newest of each volume stays.
schedule each-minute '* * * * *' 'runOnCreate: true' >"$home/manifests/schedule.yaml"
scheduled() { k get backups -o json | jq -c '[.items[] | select(.metadata.labels["kopiur.home-operations.com/origin"] == "scheduled")]'; }
both() { [ "$(scheduled | jq '[.[] | select(.status.phase == "Succeeded")] | length')" -ge 2 ]; }
await 60 "the schedule has made one of each" both
ids() { scheduled | jq -r '.[].status.snapshot.kopiaSnapshotID // empty' | sort; }
ids >"$home/first"
none_of_the_first() {  # checks the Backups first: a kopia list takes a quarter of a second of a core
  ids >"$home/now" && [ -z "$(comm -12 "$home/first" "$home/now")" ] && snapshots >"$home/now" && [ -z "$(comm -12 "$home/first" "$home/now")" ]
}
await 150 "a slot later the former two are gone, from kopia's own list too" none_of_the_first
rm "$home/manifests/schedule.yaml"
settled() { scheduled | jq -e 'length == 2 and all(.[]; .status.phase == "Succeeded")' && [ "$(snapshots | wc -l)" = 4 ]; }
await 90 "one scheduled Backup of each volume is left, beside those by hand" settled
[ "$(scheduled | jq -r '[.[].spec.sourcePath] | sort | join(" ")')" = "/pvc/mail /pvc/photos" ] || die "those are of $(scheduled | jq -c '[.[].spec.sourcePath]')"

first=$(backup_now once) second=$(backup_now once)
[ -n "$first" ] && [ -n "$second" ] || die "the volume by itself could not be backed up"
[ "$(ready_condition backup "$first" reason) $(ready_condition backup "$second" reason)" = "Succeeded Unchanged" ] || die "they say $(ready_condition backup "$first" reason), $(ready_condition backup "$second" reason)"
[ "$(snapshots | wc -l)" = 5 ] || die "what has not changed was saved again"
echo "changed" >"$home/spare/data.bin"
third=$(backup_now once)
[ "$(ready_condition backup "$third" reason)" = Succeeded ] && [ "$(snapshots | wc -l)" = 6 ] || die "what has changed was not saved"
echo "ok: what has not changed is told, and not saved again"
