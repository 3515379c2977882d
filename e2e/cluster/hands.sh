#!/usr/bin/env bash
# with_node.sh hands.sh: other clients change our objects. A kind is missing when the gateway starts, and is added later; a client writes on
# a Backup, its status and its Job while it runs; a node loses a mover's pod. Nothing is lost or done twice, and afterwards nothing is
# written.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
prefix=kopiur.home-operations.com source=$home/volumes/source
kube delete crd "maintenances.$prefix" >>"$home/made"
start_services "${made%% *}" keep
watch_jobs
missing_is_told() { grep 'maintenances was answered with 404' "$home/gateway-1.log"; }
await 30 "the gateway says which kind is missing" missing_is_told
{ secret password a-story; claim store "$home/volumes/store"; claim source "$source"; } | k apply -f - >>"$home/made"
change() { head -c 120000000 /dev/urandom >"$source/data.bin" && chown -R 65532:65532 "$source"; }
change
{ repository main /kopia password true store && echo '  deletionProtection: {threshold: 1000}' && rarely_listed; recipe docs | slow; } | k apply -f - >>"$home/made"
sleep 3
[ -z "$(field repository main status.phase)" ] || die "a repository was taken up although kinds are missing: nothing was shown"
kube apply --server-side -f "$root/proto/schema/generated/crds" >>"$home/made"
await 90 "the repository is Ready once the kind is there" is repository main status.phase Ready
maintained() { [ -n "$(k get maintenances -o name)" ]; }
await 60 "and has its Maintenance" maintained

job_of() { k get backup "$1" -o jsonpath='{.status.job.name}'; }
pod_of() { k get pods -l "job-name=$(job_of "$1")" -o jsonpath="{.items[0].$2}"; }
mover_runs() { [ "$(pod_of "$1" status.phase)" = Running ]; }
# meddle: writes on them in a loop.
meddle() {
  local i
  trap - ERR
  for ((i = 0; ; i++)); do
    k label backup fought-over --overwrite "other=$i"
    k patch backup fought-over --subresource=status --type=merge -p '{"status": {"phase": "Pending", "progress": null, "conditions": [{"type": "Theirs", "status": "True", "reason": "Theirs", "message": "'"$i"'", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}}'
    k annotate job "$(job_of fought-over)" --overwrite "other=$i"
    k label job "$(job_of fought-over)" --overwrite "other=$i"
  done >>"$home/meddled" 2>&1 || true
}
backup fought-over
meddle & meddler=$!
pids+=("$meddler")
ended() { [ -n "$(field backup fought-over status.timing.endTime)" ]; }
await 90 "a Backup that somebody else writes on has ended" ended
{ kill "$meddler" && wait "$meddler"; } 2>>"$home/ends" || true
await 30 "and Succeeded" is backup fought-over status.phase Succeeded
[ "$(field backup fought-over metadata.labels.other)" != "" ] || die "what somebody else wrote is gone: nothing was shown"
echo "ok: beside $(grep -c 'patched\|labeled\|annotated' "$home/meddled") writes of theirs"

change && backup lost-pod
await 60 "its mover runs" mover_runs lost-pod
pod=$(pod_of lost-pod metadata.name) container=$(pod_of lost-pod 'status.containerStatuses[0].containerID')
"${KOPIUR_CONTAINERD%/*}/ctr" -a "$home/containerd.sock" -n k8s.io tasks kill -s SIGKILL "${container#containerd://}"
k delete pod "$pod" --force --grace-period=0 >>"$home/made" 2>&1
await 90 "the Backup whose pod was lost Succeeded" is backup lost-pod status.phase Succeeded
[ "$(field backup lost-pod status.job.attempts)" = 2 ] || die "that took $(field backup lost-pod status.job.attempts) attempts, and should have taken two"
each_once 2 3
await_quiet 30
all_deleted
