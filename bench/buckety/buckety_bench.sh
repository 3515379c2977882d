#!/usr/bin/env bash
# buckety_bench.sh [N]: from a Buckety to Ready on a real API server and a real versitygw: 1,000 by 8 clients, compared with plain clients that make the
# same calls; one by one, alone and beside a backend that accepts and never answers; N (10,000) that are Ready, for 60 s. Needs a release build.
# KOPIUR_BENCH_APART=yes pins the API server and its etcd to the first core, and the store, the bus, the services and the clients to the second.
here=$(dirname "${BASH_SOURCE[0]}")
[ -n "${KOPIUR_TEST_API:-}" ] || exec "$here/../../e2e/cluster/with_api.sh" "${BASH_SOURCE[0]}" "$@"
KOPIUR_SERVICES="provisioner gateway"
source "$here/../../e2e/cluster/services.sh"
source "$here/../cluster/counts.sh"
need VERSITYGW
loader=buckety_load own='leases|configmaps|'  # the gateway's own
many=${1:-10000}
# stored OPERATION: the store's requests whose operation begins so, from its log.
stored() { grep -c " s3_$1" "$home/store.access" || true; }

keep_apart
read -r port dead < <(python3 -c 'import socket
held=[socket.socket() for _ in range(2)]
[each.bind(("127.0.0.1",0)) for each in held]
print(*[each.getsockname()[1] for each in held])')
export STORE_KEY=rootkey STORE_SECRET=root-secret-of-a-bench
mkdir -p "$home"/{store,config}
"$KOPIUR_VERSITYGW" --access "$STORE_KEY" --secret "$STORE_SECRET" --port "127.0.0.1:$port" --access-log "$home/store.access" posix "$home/store" >"$home/store.log" 2>&1 &
pids+=($!)
python3 -c 'import socket, sys
server = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=1000)
held = []
while True: held.append(server.accept())' "$dead" & pids+=($!)
backend() { printf '  - name: %s\n    driver: s3\n    config: {endpoint: "http://127.0.0.1:%s", forcePathStyle: true, accessKeyID: "${STORE_KEY}", secretAccessKey: "${STORE_SECRET}"}\n' "$@"; }
{ echo backends: && backend s3 "$port" && backend silent "$dead"; } >"$home/config/buckety-controller.yaml"
export KOPIUR_CONFIG=$home/config KOPIUR_SYSTEMS=kopiur,buckety
start_services none
load burst warm s3 count=20

counted >"$home/before" && heads=$(stored Head) lists=$(stored List)
load burst thousand s3 count=1000 | tee "$home/ours"
sleep 5
since "$home/before" 1000 "$own" >"$home/each" && echo "requests of the API for each:" && sed 's/^/  /' "$home/each"
heads=$((($(stored Head) - heads + 500) / 1000)) lists=$((($(stored List) - lists + 500) / 1000))
echo "requests of the store for each: $heads heads, $lists lists, one creation"
echo "memory: $(memory)"
load burst alone s3 count=50 pause_ms=50 | tee "$home/alone"
load create hanging silent count=200
sleep 10
load burst beside s3 count=50 pause_ms=50 | tee "$home/beside"
jq -rn --slurpfile a "$home/alone" --slurpfile b "$home/beside" '"beside a backend that never answers: \($b[0].p50_ms / $a[0].p50_ms * 100 | round / 100) times the p50"'
kube get bucketies -o name | grep '/hanging-' | xargs "$KOPIUR_KUBECTL" --kubeconfig "$home/admin.kubeconfig" delete --wait=false >"$home/made"

load burst "many" s3 count=$((many - 1120)) clients=16
echo "memory, $many Bucketys: $(memory)"
sleep 30
counted >"$home/before"
sleep 60
since "$home/before" 1 "$own" | grep -vE '^GET ' >"$home/idle" || true
echo "$many Ready, 60 s: writes: $(grep -c . "$home/idle" || true)" && sed 's/^/  /' "$home/idle"

stop_services  # they would serve the plain client's objects
mv "$home/each" "$home/all" && grep -v '^DELETE' "$home/all" >"$home/each"
load plain plain "http://127.0.0.1:$port" count=1000 reads="$(of GET bucketyaccesses)" patches="$(of 'PATCH|APPLY' bucketies)" statuses="$(of 'PUT|PATCH' bucketies/status)" \
  access_patches="$(of 'PATCH|APPLY' bucketyaccesses)" access_statuses="$(of 'PUT|PATCH' bucketyaccesses/status)" events="$(of POST events)" heads="$heads" lists="$lists" | tee "$home/plain"
jq -rn --slurpfile ours "$home/ours" --slurpfile plain "$home/plain" '"ours: \($ours[0].ready_per_s / $plain[0].per_s * 100 | round / 100) times the plain client"'
