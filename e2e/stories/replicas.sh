#!/usr/bin/env bash
# Three processes of each of the six services against one nats-server and one repository: backups by schedule and by request, a restore, a
# deletion, with kill -9 of two of three in between, the active gateway among them. Each run is done exactly once; every process reports
# its health.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
KOPIUR_NATS_SERVER=${KOPIUR_NATS_SERVER:-$(command -v nats-server || true)}
[ -x "$KOPIUR_NATS_SERVER" ] || die "nats-server is neither at KOPIUR_NATS_SERVER nor on PATH; ./dev setup builds it"
plain_manifests
schedule each-minute '* * * * *' 'runOnCreate: true' >"$home/manifests/schedule.yaml"
services=(scheduler catalog-discovery retention maintenance-lease mover-orchestration gateway)
mkdir -p "$home/pids" "$home/logs"

start_bus "$home/bus" "$home/logs/nats-server" 'authorization { user: "story", password: "story-bus" }'
background+=("$bus")
printf 'story-bus' >"$home/bus/password"
export KOPIUR_NATS_URL=$url KOPIUR_NATS_USER=story KOPIUR_NATS_PASSWORD_FILE=$home/bus/password
export KOPIUR_BUS=nats://story:story-bus@${url#nats://}
export KOPIUR_DATA=$data KOPIUR_MANIFESTS=$home/manifests KOPIUR_MOVER=$bin/kopiur-mover KOPIUR_KOPIA=$kopia
k bus apply >/dev/null || die "the streams were not made"

# keep SERVICE N: one replica.
keep() { keep_running "$home/pids/$1-$2" "$home/logs/$1-$2" "$bin/kopiur-$1" 2>>"$home/logs/supervisor"; }
for service in "${services[@]}"; do for n in 1 2 3; do keep "$service" "$n" & background+=($!); done; done
# port SERVICE N: the port on which this replica serves its health.
port() { grep -F "\"http.listening\"" "$home/logs/$1-$2" | tail -1 | jq -r .port; }
answers() { [ "$(curl -s -o "$home/page" -w '%{http_code}' "http://127.0.0.1:$(port "$1" "$2")$3")" = 200 ]; }
all_healthy() {
  local service n
  for service in "${services[@]}"; do
    for n in 1 2 3; do
      answers "$service" "$n" /healthz && answers "$service" "$n" /readyz && answers "$service" "$n" /metrics && grep -q "kopiur_ready{service=\"$service\"} 1" "$home/page" || return 1
    done
  done
}
await 60 "the repository is Ready" is repository main status.phase Ready
await 30 "every service answers /healthz, /readyz and /metrics" all_healthy

active_gateway() { local n; for n in 1 2 3; do [ "$(cat "$data/lock")" = "$(cat "$home/pids/gateway-$n")" ] && echo "$n" && return; done; }
# kill_two SERVICE: kills two of three, including the active one if there is one.
kill_two() {
  local first=1
  [ "$1" != gateway ] || first=$(active_gateway)
  for n in "$first" $((first % 3 + 1)); do kill -9 "$(cat "$home/pids/$1-$n")" 2>/dev/null || true; done
}
stood_by() { [ "$(grep -h '"cluster"' "$home"/logs/gateway-* | grep -c 'standing by')" = 2 ]; }
await 10 "two gateways stand by for the folder that the third one has" stood_by
[ "$(grep -hc '"http.listening"' "$home"/logs/gateway-* | sort -u)" = 1 ] || die "a gateway that should stand by was started again"
fired() { [ "$(slots | wc -l)" -ge 1 ]; }
await 30 "the schedule has fired" fired
requested=()
for service in scheduler mover-orchestration gateway; do
  echo "$service" >>"$home/source/changes"
  requested+=("$(ask_backup)")
  kill_two "$service"
  echo "killed two of $service after a request"
done
for each in "${requested[@]}"; do await 60 "$each has succeeded" is backup "$each" status.phase Succeeded; done

k restore --config docs --name back --to back >/dev/null
kill_two maintenance-lease; kill_two mover-orchestration
await 60 "the restore has completed" is restore back status.phase Completed
doomed=${requested[0]} doomed_id=$(field backup "${requested[0]}" status.snapshot.kopiaSnapshotID)
k delete backup "$doomed" >/dev/null
sleep 1
kill_two mover-orchestration; kill_two catalog-discovery; kill_two retention; kill_two gateway
await 60 "the deleted Backup is gone" gone backup "$doomed"
! kept "$doomed_id" || die "its snapshot is still there"

await 30 "every service answers again" all_healthy
quiet() { [ -z "$(k get backups -o json | jq -r '.items[].status.phase' | grep -vx Succeeded)" ]; }
await 30 "all Backups have succeeded" quiet
[ -z "$(slots | uniq -d)" ] || die "a slot fired twice: $(slots | uniq -d)"
count=$(k get backups -o json | jq '.items | length')
each_once "$count"
cmp "$home/source/data.bin" "$data/volumes/default/back/data.bin" || die "what was restored is not the source"
[ "$(k bus dlq -o json | jq length)" = 0 ] || die "there are dead letters: $(k bus dlq)"
echo "ok: $count Backups, each once, after $(slots | wc -l) slots and ${#requested[@]} requests"
