#!/usr/bin/env bash
# with_node.sh rolling.sh: three replicas of every service, each restarted, one after the other, while a schedule fires each minute and four
# clients create thirty Backups; then one of each is killed at a random moment. Each Backup is done once: one Job, one snapshot in kopia's
# own list, with the source's bytes. Afterwards nothing is written, and all deleted objects disappear.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
services=(scheduler catalog-discovery retention maintenance-lease mover-orchestration gateway)
for each in "${services[@]}"; do start "$each" 2; start "$each" 3; done
source=$home/volumes/source
{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; } | k apply -f - >>"$home/made"
head -c 300000 /dev/urandom >"$source/data.bin" && chown -R 65532:65532 "$source"
{ repository main /kopia password true store && echo '  deletionProtection: {threshold: 1000}' && rarely_listed; recipe docs; schedule each-minute '* * * * *' 'runOnCreate: true'; } | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
watch_jobs

# again SERVICE N SIGNAL: ends and restarts it; returns when it is ready.
again() {
  local pid from=$SECONDS
  pid=$(cat "$home/$1-$2.pid")
  kill -0 "$pid" 2>/dev/null || die "$1 $2 has ended by itself: $(tail -2 "$home/$1-$2.log")"
  kill "-$3" "$pid"
  { wait "$pid" || [ "$3" = KILL ] || die "$1 $2 ended with code $? after SIGTERM"; } 2>>"$home/ends"
  [ $((SECONDS - from)) -lt 10 ] || die "$1 $2 took $((SECONDS - from)) s to end"
  start "$1" "$2"
  until ready "$1" "$2" >"$home/page" 2>&1; do [ $((SECONDS - from)) -lt 40 ] || die "$1 $2 is not ready again after $3"; sleep 0.2; done
}
# client N: creates that many Backups, at random moments.
client() { for ((i = 1; i <= $2; i++)); do backup_of docs "client-$1-$i" | k apply -f - >>"$home/made" || echo "client-$1-$i" >>"$home/lost"; sleep $((RANDOM % 3)).$((RANDOM % 10)); done; }
clients=()
for each in 1 2 3 4; do client "$each" $((7 + each % 2)) & clients+=($!); done  # 8 + 7 + 8 + 7
from=$SECONDS
for each in "${services[@]}"; do for n in 1 2 3; do again "$each" "$n" TERM; done; done
echo "ok: eighteen processes were replaced, one after the other, in $((SECONDS - from)) s"
holder() { kube get lease kopiur-gateway -n kopiur-system -o jsonpath='{.spec.holderIdentity}'; }
for each in "${services[@]}"; do
  n=$((RANDOM % 3 + 1)) who=$(holder)
  [ "$each" != gateway ] || for i in 1 2 3; do [[ $who != *_$(cat "$home/gateway-$i.pid")_* ]] || n=$i; done
  sleep 0.$((RANDOM % 10))
  again "$each" "$n" KILL
done
echo "ok: one of each was killed, the active gateway among them"
wait "${clients[@]}"
[ ! -s "$home/lost" ] || die "the API server did not take $(cat "$home/lost")"
k delete backupschedule each-minute >>"$home/made"

backups() { k get backups -o json | jq -r ".items[] | $1"; }
all_saved() { [ -z "$(backups 'select(.status.phase != "Succeeded").metadata.name')" ]; }
await 150 "every Backup Succeeded" all_saved
count=$(backups .metadata.name | wc -l) slots=$(slots)
[ "$count" -ge 31 ] && [ -n "$slots" ] || die "thirty Backups of clients and those of the schedule should be there: $count in all"
[ -z "$(uniq -d <<<"$slots")" ] || die "a slot fired twice: $(uniq -d <<<"$slots")"
each_once "$count" "$count"
in_repository restore "$(jq -r 'last.id' "$home/snapshots.json")" "$home/back" >"$home/said" 2>&1
diff -r "$source" "$home/back" >"$home/difference" || die "a snapshot holds other bytes"
await_quiet 30

all_deleted
