# kopiur next to a running cluster: its own bus, one process of each service (KOPIUR_SERVICES=services: one process for all of them), the
# gateway connected to the cluster's API. Source it, then call start_services.
source "$(dirname "${BASH_SOURCE[0]}")/kube.sh"
source "$root/e2e/documents.sh"
bin=${KOPIUR_BIN:-$root/build/release/bin}
quick_kopia
need NATS_SERVER KOPIA
read -ra services <<<"${KOPIUR_SERVICES:-scheduler catalog-discovery retention maintenance-lease mover-orchestration gateway}"
pids=() system=kopiur-system
the_end() {
  local code=$?
  [ "$code" = 0 ] || { kube get events -A --sort-by=.lastTimestamp; kube get repositories,backups,restores,jobs,pods -A -o wide; } 2>&1 | tail -50
  for each in ${pids[@]+"${pids[@]}"}; do kill -TERM "$each" 2>/dev/null && kill -CONT "$each" 2>/dev/null || true; done  # a story may have stopped it
  for each in ${pids[@]+"${pids[@]}"}; do wait "$each" 2>/dev/null || true; done
}
trap the_end EXIT

# start SERVICE [N]: its pid in $home/SERVICE-N.pid, its log next to it.
start() {
  "$bin/kopiur-$1" >>"$home/$1-${2:-1}.log" 2>&1 &
  pids+=($!)
  echo $! >"$home/$1-${2:-1}.pid"
}
# keep SERVICE [N]: the same, restarted whenever it ends, as in a cluster.
keep() {
  keep_running "$home/$1-${2:-1}.pid" "$home/$1-${2:-1}.log" "$bin/kopiur-$1" 2>>"$home/ends" &
  pids+=($!)
}
# ready SERVICE [N]: the running process reports that it is ready.
ready() { curl -sf "http://127.0.0.1:$(grep -F '"http.listening"' "$home/$1-${2:-1}.log" | tail -1 | jq -r .port)/readyz"; }
# start_services IMAGE [keep]: movers run from that image. The gateway is the user of KOPIUR_KUBECONFIG, by default the administrator. It
# serves the script's namespace if it has set one, otherwise all.
start_services() {
  start_bus "$home/bus" "$home/nats-server.log"
  pids+=("$bus")
  export KOPIUR_NATS_URL=$url KOPIUR_BUS=$url
  "$bin/kopiur" bus apply >"$home/streams"
  [ "$namespace" = default ] || { export KOPIUR_ONLY_NAMESPACE=$namespace && system=$namespace-system && kube create namespace "$namespace" >"$home/made"; }
  kube create namespace "$system" >>"$home/made"
  export KOPIUR_ADAPTER=kubernetes KOPIUR_KUBECONFIG=${KOPIUR_KUBECONFIG:-$cluster/admin.kubeconfig} KOPIUR_NAMESPACE=$system KOPIUR_MOVER_IMAGE=$1 KOPIUR_MOVER_PULL_POLICY=Never
  for each in "${services[@]}"; do "${2:-start}" "$each"; done
}
# webhook_here: gateways started later answer reviews at the node's address. apply_webhook POLICY: points the chart's webhook to them.
webhook_here() {
  need HELM
  export KOPIUR_WEBHOOK=10.77.0.1:8443 KOPIUR_WEBHOOK_CERTIFICATE=$home/server.crt KOPIUR_WEBHOOK_KEY=$home/server.key
}
# of_chart KINDS ARGS...: the chart's objects of these kinds, as JSON, rendered with these arguments.
of_chart() {
  HELM_CACHE_HOME=$home HELM_CONFIG_HOME=$home HELM_DATA_HOME=$home "$KOPIUR_HELM" template kopiur "$root/helm/kopiur" --kube-version 1.36.0 \
    --api-versions admissionregistration.k8s.io/v1/MutatingAdmissionPolicy "${@:2}" >"$home/chart.yaml" 2>"$home/said"
  kube create --dry-run=client --validate=false -o json -f "$home/chart.yaml" 2>>"$home/said" |
    jq --arg kinds "$1" 'if .kind == "List" then .items[] else . end | select(.kind | IN($kinds | split(" ") | .[]))'
}
apply_webhook() {
  of_chart ValidatingWebhookConfiguration --set "global.webhook.failurePolicy=$1" | jq --arg ca "$(base64 -w0 "$home/ca.crt")" \
    '.webhooks[].clientConfig = {url: "https://10.77.0.1:8443/validate", caBundle: $ca}' >"$home/webhook.json"
  kube apply -f "$home/webhook.json" >>"$home/made"
}
# apply_policy: a Backup gets its finalizer when it is written, as with an installed chart.
apply_policy() {
  need HELM
  of_chart "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding" | kube apply -f - >>"$home/made"
}
# reserve_names USER: applies the chart's policy on names, with that user as the gateway.
reserve_names() {
  need HELM
  of_chart "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding" | sed "s/system:serviceaccount:default:kopiur-gateway/$1/" | kube apply -f - >>"$home/made"
}
# shared_repository ALLOWED CATALOG: the ClusterRepository `shared` in S3, its credentials in the namespace vault. in_shared ARGS...: runs
# the real kopia on it, as alice@laptop.
shared_repository() {
  need VERSITYGW
  mkdir -p "$home/s3/backups"
  "$KOPIUR_VERSITYGW" --access gatewaykey --secret gateway-secret-1 --port 10.77.0.1:7070 posix "$home/s3" >"$home/s3.log" 2>&1 &
  pids+=($!)
  kube create namespace vault >>"$home/made"
  kube create secret generic keys -n vault --from-literal=AWS_ACCESS_KEY_ID=gatewaykey --from-literal=AWS_SECRET_ACCESS_KEY=gateway-secret-1 >>"$home/made"
  kube create secret generic password -n vault --from-literal=KOPIA_PASSWORD=a-story >>"$home/made"
  kube apply -f - >>"$home/made" <<YAML
apiVersion: kopiur.home-operations.com/v1alpha1
kind: ClusterRepository
metadata: {name: shared}
spec:
  backend: {s3: {bucket: backups, endpoint: "10.77.0.1:7070", tls: {disableTls: true}, auth: {secretRef: {name: keys, namespace: vault}}}}
  encryption: {passwordSecretRef: {name: password, namespace: vault}}
  create: {enabled: true}
  allowedNamespaces: $1
  catalog: $2
YAML
  await 90 "the ClusterRepository is Ready" is clusterrepository shared status.phase Ready
}
in_shared() {
  [ -f "$home/shared.config" ] || KOPIA_PASSWORD=a-story AWS_ACCESS_KEY_ID=gatewaykey AWS_SECRET_ACCESS_KEY=gateway-secret-1 "$KOPIUR_KOPIA" --config-file "$home/shared.config" repository connect s3 --bucket backups \
    --endpoint 10.77.0.1:7070 --disable-tls --cache-directory "$home/shared-cache" --override-username alice --override-hostname laptop >"$home/connected" 2>&1 || die "$(tail -3 "$home/connected")"
  KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/shared.config" "$@" 2>>"$home/kopia.log"
}
# claim NAME FOLDER: the documents of volume(), and the folder, which movers may write.
claim() {
  mkdir -p "$2"
  chown 65532:65532 "$2"
  volume "$1" "$2"
}
k() { kube --namespace="$namespace" "$@"; }
# backup NAME: creates a Backup of the BackupConfig docs.
backup() { backup_of docs "$1" | k apply -f - >>"$home/made"; }
# slow: limits the movers of a BackupConfig to a quarter of a core: time to interrupt them.
slow() { sed 's/^  repository:/  mover: {resources: {limits: {cpu: 250m}}}\n&/'; }
field() { k get "$1" "$2" -o jsonpath="{.$3}"; }
# is KIND NAME FIELD VALUE; within await one kubectl watches for some seconds, because each single read takes 60 ms of a core.
is() {
  if [ -z "${awaiting:-}" ]; then [ "$(field "$1" "$2" "$3")" = "$4" ]; else k wait --for=jsonpath="{.$3}=$4" --timeout=4s "$1/$2"; fi
}
# gone KIND NAME...: a successful list holds none of them. (A failed list shows nothing, and a pipe into grep -q would end it by SIGPIPE.)
gone() {
  local left
  [ -z "${awaiting:-}" ] || k wait --for=delete --timeout=4s "$@" || return 1
  left=$(k get "$@" -o name --ignore-not-found) && [ -z "$left" ]
}
# in_repository ARGS...: runs the real kopia on the repository in the claim `store`.
in_repository() {
  [ -f "$home/kopia.config" ] || KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/kopia.config" repository connect filesystem --path "$home/volumes/store/kopia" --cache-directory "$home/kopia-cache" >"$home/connected" 2>&1
  KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/kopia.config" "$@" 2>/dev/null
}
# writes: the API server's count of our requests that change something.
writes() { kube get --raw /metrics | awk '/^apiserver_request_total\{/ && /verb="(POST|PUT|PATCH|APPLY|DELETE)"/ && /group="(kopiur.home-operations.com|batch)"|resource="(secrets|configmaps|events)"/ {sum += $NF} END {print sum + 0}'; }
# rarely_listed: for a repository that must not be listed while a story checks for writes. Print it after the repository.
rarely_listed() { printf '  catalog: {refreshInterval: 720h}\n'; }
# await_quiet SECONDS: waits until nothing was written for so long. Within a minute of the last work the gateway stores its position on the
# bus.
await_quiet() {
  local limit=$((SECONDS + 70 + $1)) before now since=$SECONDS
  before=$(writes)
  until [ $((SECONDS - since)) -ge "$1" ]; do
    sleep 3
    now=$(writes)
    [ "$now" = "$before" ] || { before=$now since=$SECONDS; }
    [ "$SECONDS" -lt "$limit" ] || die "there is no end of writes without work ($now by now)"
  done
  echo "ok: no write in $1 s without work ($before before)"
}
# watch_jobs: records every Job from now on, for each_once.
watch_jobs() { kube get jobs -A --watch -o custom-columns=NAME:.metadata.name,UID:.metadata.uid --no-headers >"$home/jobs" & pids+=($!); }
# each_once N JOBS: N Backups, all Succeeded; the repository holds exactly their snapshots, each of its own run; that many Jobs served them.
each_once() {
  local jobs
  in_repository snapshot list --all --json >"$home/snapshots.json"
  k get backups -o json >"$home/backups.json"
  [ "$(jq '[.items[] | select(.status.phase == "Succeeded")] | length' "$home/backups.json")" = "$1" ] || die "not $1 Backups Succeeded"
  diff <(jq -r '.items[].status.snapshot.kopiaSnapshotID' "$home/backups.json" | sort) <(jq -r '.[].id' "$home/snapshots.json" | sort) >"$home/difference" ||
    die "the repository does not hold what the Backups name: $(head -5 "$home/difference")"
  [ "$(jq '[.[].tags."tag:kopiur-run"] | unique | length' "$home/snapshots.json")" = "$1" ] || die "the snapshots are not of $1 runs"
  jobs=$(sort -u "$home/jobs" | grep -cE "^($(jq -r '.items[].status.job.name | sub("-[0-9]+$"; "")' "$home/backups.json" | paste -sd '|'))-" || true)
  [ "$jobs" = "$2" ] || die "$jobs Jobs have served them, and not $2: $(sort -u "$home/jobs")"
  echo "ok: $1 Backups, by $2 Jobs, each with one snapshot"
}
# all_deleted: deletes every Backup; its snapshot and all its other objects disappear.
all_deleted() {
  no_backups() { [ -z "$(k get backups -o name)" ]; }
  k delete backups --all --wait=false >>"$home/made"
  await 90 "every Backup goes when it is deleted" no_backups
  [ "$(in_repository snapshot list --all --json | jq length)" = 0 ] || die "the Backups are gone, and snapshots are left"
  k delete restores,backupconfigs,repositories --all --timeout=20s >>"$home/made" || die "the recipe or the repository does not go"
  echo "ok: and everything with them"
}
