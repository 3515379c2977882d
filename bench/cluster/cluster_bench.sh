#!/usr/bin/env bash
# cluster_bench.sh [N]: from a Backup to its Job on a real API server, one by one and in bursts of 1,000 and N (5,000), compared with plain clients in
# the same run. Also measured: writes per Backup, to its end and for its deletion; writes while Jobs wait for their movers; memory; cold starts. Needs
# root, as e2e/cluster/with_node.sh does, and a release build. KOPIUR_BENCH_APART=yes pins the API server and its etcd to the first core, and the bus,
# the services and the clients to the second, as in a cluster whose API server has separate machines.
here=$(dirname "${BASH_SOURCE[0]}")
[ -n "${KOPIUR_TEST_API:-}" ] || exec "$here/../../e2e/cluster/with_node.sh" "${BASH_SOURCE[0]}" "$@"
source "$here/../../e2e/cluster/services.sh"
many=${1:-5000} repositories=20 configs=200  # a run holds a slot of its repository until it ends; here none ends
source "$here/counts.sh"
loader=cluster_load

# changes: the writes of `counted`. changes_since FILE N: as `since`, without what the gateway writes for itself.
changes() { counted | grep -v '^GET '; }
changes_since() { since "$1" "$2" 'leases|events' | grep -v '^GET ' || true; }
# told_since FILE N TITLE: prints the output of `changes_since`, and stores it in $home/each.
told_since() { changes_since "$1" "$2" >"$home/each" && echo "$3:" && sed 's/^/  /' "$home/each"; }
# lists: the lists that the API server has answered, and their bytes, from its own metrics.
lists() { kube get --raw /metrics | awk '/^apiserver_request_total\{.*verb="LIST"/ {n += $NF} /^apiserver_response_sizes_sum\{.*verb="LIST"/ {bytes += $NF} END {printf "%d %d\n", n, bytes}'; }
# cold_start NAME: all services end, a Backup is created, and they are started: the time until they are ready, and until that Backup has its Job.
cold_start() {
  local each begun ready over before after asked
  stop_services
  load single "$1" count=1 configs=$configs >"$home/$1" &
  asked=$!
  sleep 3
  read -ra before < <(lists)
  begun=$(date +%s%3N)
  for each in "${services[@]}"; do start "$each"; done
  for each in "${services[@]}"; do until ready "$each" >"$home/page" 2>&1; do [ $(($(date +%s%3N) - begun)) -lt 60000 ] || die "$each is not ready within 60 s"; sleep 0.01; done; done
  ready=$(date +%s%3N)
  wait "$asked"
  over=$(date +%s%3N)
  read -ra after < <(lists)
  echo "cold start, $(k get backups --no-headers | wc -l) Backups: ready after $((ready - begun)) ms, a Job after $((over - begun)) ms, $((after[0] - before[0])) lists, $(((after[1] - before[1]) / 1024)) KiB; memory: $(memory)"
}

keep_apart
made=$(import_image mover)
export KOPIUR_MOVERS_PER_REPOSITORY=1000
start_services "${made%% *}"
apply_policy
{ secret password bench; claim store "$home/volumes/store"; } | k apply -f - >>"$home/made"
for ((i = 0; i < repositories; ++i)); do repository "main-$i" "/kopia-$i" password true store; done | k apply -f - >>"$home/made"
for ((i = 0; i < configs; ++i)); do claim "source-$i" "$home/volumes/source-$i"; recipe "docs-$i" "main-$((i % repositories))" "source-$i"; done | k apply -f - >>"$home/made"
all_ready() { [ "$(k get repositories -o json | jq '[.items[] | select(.status.phase == "Ready")] | length')" = "$repositories" ]; }
await 300 "$repositories repositories are Ready" all_ready
all_bound() { [ "$(k get pvc -o json | jq '[.items[] | select(.status.phase != "Bound")] | length')" = 0 ]; }
await 120 "$configs claims are bound" all_bound
load single warm count=1
await 60 "the first Backup has succeeded" is backup warm-0 status.phase Succeeded
sleep 5
counted >"$home/before"
k get backups --watch -o custom-columns=NAME:.metadata.name,PHASE:.status.phase --no-headers >"$home/versions" &
watching=$!
load single whole count=20 configs=$configs
of_whole() { k get backups -o json | jq "[.items[] | select(.metadata.name | startswith(\"whole-\"))$1] | length"; }
all_saved() { [ "$(of_whole ' | select(.status.phase == "Succeeded")')" = 20 ]; }
await 300 "20 Backups have succeeded" all_saved
sleep 5
kill "$watching"
awk '$1 ~ /^whole-/ && !over[$1] {++versions[$1]; over[$1] = $2 == "Succeeded"} END {for (each in versions) {sum += --versions[each]; if (versions[each] > most) most = versions[each]}; printf "writes to a Backup, after its creation, to its terminal phase: %.1f, at the most %d\n", sum / 20, most}' "$home/versions"
told_since "$home/before" 20 "writes for each of 20 Backups until it has succeeded, the cluster's own for Job and pod among them"
counted >"$home/before"
k delete --wait=false backup whole-{0..19} >>"$home/made"
all_gone() { [ "$(of_whole '')" = 0 ]; }
await 300 "20 Backups are deleted, and their snapshots" all_gone
sleep 5
told_since "$home/before" 20 "writes for the deletion of each"
# From here on a Job gets no pod: the controllers that would create it are stopped. (Only this cluster's are among our processes.)
pkill -STOP -x 'kube-(controller|scheduler).*' || die "no controller manager to stop"
echo "memory, idle: $(memory)"

load single one count=50 configs=$configs
counted >"$home/before"
used >"$home/used"
load burst burst-1000 count=1000 configs=$configs
echo "ms of a core for each of 1,000 Backups until its Job:$(used_since "$home/used" 1000)"
sleep 5
told_since "$home/before" 1000 "writes for each Backup until its Job waits"
before=$(changes)
sleep 60
diff <(echo "$before") <(changes) | grep '^>' | grep -vE ' (leases|events)( |$)' >"$home/pending" || true
echo "1,000 Jobs that wait, 60 s: writes: $(grep -c . "$home/pending" || true)" && sed 's/^/  /' "$home/pending"
load single one-of-1000 count=50 configs=$configs
cold_start cold
load jobs jobs-before count=2000
used >"$home/used"
load burst "many-$many" count="$many" configs=$configs
echo "ms of a core for each of $many Backups until its Job:$(used_since "$home/used" "$many")"
echo "memory, $((many + 1100)) Backups: $(memory)"
cold_start "cold-$many"
stop_services  # they would process the plain clients' objects
load plain plain-alone count=50 pause_ms=100 statuses=1 jobs=1  # the minimum writes from one Backup to its Job, without decisions
load plain plain count="$((many < 2000 ? many : 2000))" patches="$(of 'PATCH|APPLY|PUT' backups)" statuses="$(of 'PATCH|APPLY|PUT' backups/status)" \
  secrets="$(of POST secrets)" jobs="$(of POST jobs)"
load jobs jobs-after count=2000
rate() { sed -nE "s/.*\"bench\":\"$1\".*\"(jobs_per_s|per_s)\":([0-9.]+).*/\2/p" "$home/loads"; }
awk -v one="$(rate burst-1000)" -v all="$(rate "many-$many")" -v plain="$(rate plain)" \
  'BEGIN {printf "of the plain clients: %.2f with 1,000, %.2f with '"$many"'\n", one / plain, all / plain}'
