#!/usr/bin/env bash
# The bus has used nine tenths of its bytes for runs: no Backup begins, by request, by slot or by manifest, and each says why; the one that
# runs ends well. With more bytes all goes on, and the newest slot is made up for. A full stream loses nothing either.
slow_kopia=yes  # leaves time to fill the bus while a Backup runs
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 30
start_up --bus-store 100M
await 60 "the repository is Ready" is repository main status.phase Ready
says "$(k doctor 2>&1 || true)" "its fullest stream, has used"

# fill: the facts of runs of another cluster, up to 93 % of 48 MB.
fill() {
  local n answer
  head -c 3700000 /dev/zero | tr '\0' x >"$home/large"
  open_bus
  for n in $(seq 12); do { printf 'PUB kopiur.v1.run.other.%s 3700000\r\n' "$n"; cat "$home/large"; printf '\r\n'; } >&9; done
  printf 'PING\r\n' >&9
  while IFS= read -r -t 30 -u 9 answer && [[ $answer != PONG* ]]; do [[ $answer != -ERR* ]] || die "the bus says: $answer"; done
  exec 9>&-
}
running=$(ask_backup)
mover_of backup >>"$home/asked" || die "no mover came"
fill
figure() { curl -sf "$(cat "$data/http")/metrics" | awk -v of="$1" '$1 == of {print $2}'; }
full() { [ "$(figure kopiur_bus_full)" = 1 ]; }
await 90 "the bus is found to be full" full
await 60 "the Backup that runs ends well" is backup "$running" status.phase Succeeded
used=$(k doctor 2>&1 || true)
says "$used" BAD "runs, its fullest stream, has used 9" "--bus-store"
[ "$(figure 'kopiur_bus_stream_budget_bytes{stream="runs"}')" = 48000000 ] || die "the budget is $(figure 'kopiur_bus_stream_budget_bytes{stream="runs"}')"
said=$(k backup now docs 2>&1) && die "a Backup was taken: $said"
says "$said" BusFull "--bus-store"
schedule each-minute '* * * * *' >"$home/manifests/schedule.yaml"
skipped() { k get schedule each-minute -o json | jq -r '.status.conditions[]? | select(.type == "BackupSkipped").reason'; }
held() { [ "$(skipped)" = BusFull ]; }
await 130 "a slot is held back, and says why" held
backup_of docs by-manifest >"$home/manifests/backup.yaml"
told() { grep -q '"BusFull"' "$data/events/Backup/default/by-manifest.json"; }
await 60 "a Backup's Event says why it waits" told
[ "$(snapshots | wc -l)" = 1 ] || die "a Backup was made"
echo "ok: nothing begins on a full bus, and what runs ends"

stop_up && start_up --bus-store 2G
await 60 "the repository is Ready" is repository main status.phase Ready
fired() { k get backups -o json | jq -e '[.items[] | select(.metadata.labels["kopiur.home-operations.com/origin"] == "scheduled" and .status.phase == "Succeeded")] | length >= 1'; }
await 90 "the newest slot is made up for" fired
await 60 "the Backup that waited is taken" is backup by-manifest status.phase Succeeded
[ -n "$(backup_now)" ] || die "with more bytes no Backup is taken"
says "$(k doctor 2>&1 || true)" "its fullest stream, has used"
echo "ok: with more bytes all goes on"
