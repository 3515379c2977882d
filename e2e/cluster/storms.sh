#!/usr/bin/env bash
# with_node.sh storms.sh: an API server that does not answer. etcd is stopped for thirty seconds in the middle of a Backup and of a Restore.
# Then the gateway shares a limit of one request at a time with four clients that send all the time, and gets 429 for twenty seconds, while
# a Backup runs and another one is created. Nothing is lost or done twice, the restored bytes are the same, and afterwards nothing is
# written.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
export KOPIUR_KUBECONFIG=$home/writer.kubeconfig  # a user whom the server may throttle
start_services "${made%% *}" keep
keep gateway 2
watch_jobs
source=$home/volumes/source target=$home/volumes/target
{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; claim target "$target"; } | k apply -f - >>"$home/made"
head -c 250000000 /dev/urandom >"$source/data.bin" && chown -R 65532:65532 "$source"
{ repository main /kopia password true store && echo '  deletionProtection: {threshold: 1000}' && rarely_listed; recipe quick | sed 's/^spec:/&\n  identity: {username: quick}/'; recipe docs | slow; } | k apply -f - >>"$home/made"
await 90 "the repository is Ready" is repository main status.phase Ready
backup_of quick first | k apply -f - >>"$home/made"
await 90 "a Backup Succeeded" is backup first status.phase Succeeded
running() { [ "$(k get pods -l kopiur.home-operations.com/run -o json | jq '[.items[] | select(.status.phase == "Running")] | length')" -ge "$1" ]; }

backup paused
await 60 "a mover runs" running 1
printf 'apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Restore\nmetadata: {name: back}\nspec: {source: {backupRef: {name: first}}, target: {pvcRef: {name: target}}}\n' | k apply -f - >>"$home/made"
await 60 "and one that restores" running 2
kill -STOP "$(cat "$home/etcd.pid")"
sleep 30
kill -CONT "$(cat "$home/etcd.pid")"
await 120 "the Restore during which etcd stood still is Completed" is restore back status.phase Completed
await 90 "and the Backup Succeeded" is backup paused status.phase Succeeded
diff -r "$source" "$target" >"$home/difference" || die "the restored files differ: $(head -5 "$home/difference")"

# refusals: refused requests for the resources that the gateway uses and the four clients do not.
refusals() { kube get --raw /metrics | awk '/^apiserver_request_total\{/ && /code="429"/ && /group="(kopiur.home-operations.com|batch|coordination.k8s.io)"/ {sum += $NF} END {print sum + 0}'; }
ask_for_ever() { trap - ERR; while :; do curl -s --cacert "$home/ca.crt" --cert "$home/writer.crt" --key "$home/writer.key" "$(server)/api/v1/configmaps?x=[1-1000]" >"$home/asked.$1" || true; done; }
server() { sed -n 's/.*server: "\(.*\)",.*/\1/p' "$home/admin.kubeconfig"; }
askers=()
head -c 250000000 /dev/urandom >"$source/data.bin" && backup throttled
await 60 "a mover runs" running 1
before=$(refusals)
kube apply -f - >>"$home/made" <<YAML
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: PriorityLevelConfiguration
metadata: {name: nothing}
spec: {type: Limited, limited: {nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0, limitResponse: {type: Reject}}}
---
apiVersion: flowcontrol.apiserver.k8s.io/v1
kind: FlowSchema
metadata: {name: nothing}
spec:
  priorityLevelConfiguration: {name: nothing}
  matchingPrecedence: 2
  rules:
    - subjects: [{kind: User, user: {name: writer}}]
      resourceRules: [{verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"]}]
      nonResourceRules: [{verbs: ["*"], nonResourceURLs: ["*"]}]
YAML
for each in 1 2 3 4; do ask_for_ever "$each" & askers+=($!); done
pids+=("${askers[@]}")
backup made-meanwhile
sleep 20
kube delete flowschema nothing >>"$home/made"
{ kill "${askers[@]}" && wait "${askers[@]}"; } 2>>"$home/ends" || true
after=$(refusals)
[ $((after - before)) -ge 10 ] || die "only $((after - before)) requests of the gateway were refused: nothing was shown"
echo "ok: $((after - before)) requests of the gateway were refused"
await 90 "the Backup during which all was refused Succeeded" is backup throttled status.phase Succeeded
await 90 "and the one that was made meanwhile" is backup made-meanwhile status.phase Succeeded
each_once 4 4
await_quiet 30
all_deleted
