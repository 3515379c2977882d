#!/usr/bin/env bash
# with_node.sh --plain upgrade.sh: the baseline's chart and programs (../stories/upgrade/baseline.sh) at work on a real cluster, then
# today's chart over it. A Backup, a Restore and a deletion are in progress, one Backup waits for a lease, a schedule fires each minute.
# Each slot fires once, each run has one Job and one snapshot, all open runs end, and old Backups are restored and deleted.
shipped_kopia=yes  # it takes a moment to open a repository: time to catch one at work
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
baseline=$("$root/e2e/stories/upgrade/baseline.sh")
source=$home/volumes/source

# old_image NAME: the baseline's image, as kopiur-NAME:baseline.
old_image() {
  local made name
  made=$(KOPIUR_BIN=$baseline/build/release/bin "$baseline/image/make.sh" "$1" "$home/baseline")
  name=docker.io/library/${made%% *}
  images_there import "$home/baseline/$1.tar"
  images_there tag "$name" "${name%:*}:baseline"
  images_there rm "$name"
}
for each in mover services nats; do old_image "$each"; import_image "$each" >>"$home/made"; done

prepare
{ claim store "$home/volumes/store"; claim source "$source"; claim back "$home/volumes/back"; claim kept "$home/volumes/kept"; } | k apply -f - >>"$home/made"
head -c 60000000 /dev/urandom >"$source/data.bin" && echo 0 >"$source/text" && chown -R 65532:65532 "$source"
servers 1
small=nats.replicas=1,global.service.replicas=1
chart=$baseline/helm/kopiur release install --set $small,global.image.tag=baseline
{ secret password a-story; repository main /kopia password true store && echo '  deletionProtection: {threshold: 1000}' && rarely_listed; recipe docs; recipe backs main back; } | slow | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
watch_jobs
schedule each-minute '* * * * *' 'concurrencyPolicy: Allow' | k apply -f - >>"$home/made"
for n in 1 2 3 4; do
  echo "$n" >"$source/text"
  backup_of docs "old-$n" | k apply -f - >>"$home/made"
  await 90 "an old Backup Succeeded" is backup "old-$n" status.phase Succeeded
done

# An object that the baseline accepts and today's rules refuse.
unknown_compressor() { recipe "$1" && echo "  policy: {compression: {compressor: $2}}"; }
unknown_compressor typo ZSTD | k apply -f - >>"$home/made"

# A claim that the baseline has filled, whose Restore is gone: its present content is its owner's.
restore_of once old-1 kept | k apply -f - >>"$home/made"
await 90 "a Restore is Completed" is restore once status.phase Completed
filled() { [ -n "$(k get pvc kept -o json | jq -r '.metadata.annotations["kopiur.home-operations.com/restored-by"] // empty')" ]; }
await 30 "its claim says so" filled
k delete restore once >>"$home/made"
echo mine >"$home/volumes/kept/text"

# frozen ARGS: a kopia with these arguments is stopped. freeze: from now on stops each kopia that begins to restore or to save.
frozen() { pgrep -r T -f "^[^ ]*kopia .*$1"; }
freeze() { while sleep 0.05; do pkill -STOP -f '^[^ ]*kopia .*(restore|snapshot create) ' || true; done; }
freeze & freezer=$! pids+=($!)
restore_of flight old-1 back | k apply -f - >>"$home/made"
await 60 "a Restore is at work" frozen "restore "
backup_of backs behind | k apply -f - >>"$home/made"
k delete backup old-1 --wait=false >>"$home/made"
in_use() { [ "$(field backup old-1 'status.conditions[?(@.type=="Ready")].reason')" = InUseByRestore ]; }
await 60 "the Backup that it reads is deleted, and waits" in_use
waits() { field backup behind 'status.conditions[?(@.type=="Ready")].message' | grep claim; }
await 60 "a Backup waits for the claim that it writes into" waits
backup_of docs flight | k apply -f - >>"$home/made"
await 60 "a Backup is at work" is backup flight status.phase Running
await 60 "in its kopia" frozen "snapshot create "

release upgrade --set $small
images() { in_system get pods -o jsonpath='{.items[*].spec.containers[*].image}' | tr ' ' '\n' | grep services | sort -u; }
only_today() { [ "$(images)" = kopiur-services:0.1.0 ]; }
await 60 "only today's programs run" only_today
is backup flight status.phase Running && is restore flight status.phase Restoring || die "what was at work is $(field backup flight status.phase) and $(field restore flight status.phase)"
kill "$freezer" && wait "$freezer" || true
pkill -CONT -f '^[^ ]*kopia '
await 90 "the Restore is Completed" is restore flight status.phase Completed
[ "$(cat "$home/volumes/back/text")" = 1 ] && cmp "$source/data.bin" "$home/volumes/back/data.bin" || die "it gave other bytes"
await 90 "the Backup that was at work Succeeded" is backup flight status.phase Succeeded
await 90 "the one that waited Succeeded" is backup behind status.phase Succeeded
await 90 "the one that was deleted is gone" gone backup old-1

fired=$(slots | wc -l)
two_more() { [ "$(slots | wc -l)" -ge $((fired + 2)) ]; }
await 130 "the schedule goes on" two_more
k delete backupschedule each-minute >>"$home/made"
slots >"$home/slots"
whole <"$home/slots" || die "a slot fired twice, or is missing: $(cat "$home/slots")"
all_saved() { [ -z "$(k get backups -o json | jq -r '.items[] | select(.status.phase != "Succeeded").metadata.name')" ]; }
await 150 "every Backup Succeeded" all_saved
count=$(k get backups -o name | wc -l)
each_once "$count" "$count"
echo "ok: $(wc -l <"$home/slots") slots, each fired once"

unfit() { field backupconfig typo 'status.conditions[?(@.type=="SpecFit")].message' | grep -q "ZSTD.*is none of"; }
fit() { [ "$(field backupconfig typo 'status.conditions[?(@.type=="SpecFit")].status')" = True ]; }
await 60 "a config that would be refused today says so" unfit
k label backupconfig typo team=media >>"$home/made"
backup_of typo typo-1 | k apply -f - >>"$home/made"
await 90 "and goes on as before" is backup typo-1 status.phase Succeeded
! unknown_compressor typo GZIP | k apply -f - >"$home/refused" 2>&1 || die "another unknown compressor was taken"
! unknown_compressor other ZSTD | k apply -f - >>"$home/refused" 2>&1 || die "a new config with it was taken"
grep -q zstd "$home/refused" || die "the refusal names no compressor: $(cat "$home/refused")"
unknown_compressor typo zstd | k apply -f - >>"$home/made"
await 60 "corrected, it is as any other" fit

restore_of once old-2 kept | k apply -f - >>"$home/made"
doubted() { [ "$(field restore once 'status.conditions[?(@.type=="Ready")].reason')" = FillNotProven ]; }
await 60 "a Restore that is applied again does not fill a claim that the baseline has filled" doubted
[ "$(cat "$home/volumes/kept/text")" = mine ] || die "it wrote over what was on the claim"
k annotate restore once kopiur.home-operations.com/restore-again=yes >>"$home/made"
await 90 "the user's word fills it" is restore once status.phase Completed
[ "$(cat "$home/volumes/kept/text")" = 2 ] || die "it gave back $(cat "$home/volumes/kept/text")"
k delete restore once >>"$home/made" && echo mine >"$home/volumes/kept/text"
restore_of once old-2 kept | k apply -f - >>"$home/made"
await 60 "applied once more, it knows its own mark" is restore once status.phase Completed
[ "$(cat "$home/volumes/kept/text")" = mine ] || die "it filled the claim again"

rm "$home/volumes/back"/*
restore_of old old-2 back | k apply -f - >>"$home/made"
await 90 "an old Backup is restored" is restore old status.phase Completed
[ "$(cat "$home/volumes/back/text")" = 2 ] || die "it gave back $(cat "$home/volumes/back/text")"
rights_suffice
await_quiet 30
all_deleted
