#!/usr/bin/env bash
# with_node.sh restores.sh: restores in a second cluster, over a repository that others have filled: 300 foreign snapshots, and the history
# of our source, whose files belong to user 1234. The newest bytes are restored under every bound of the catalog. Lost owners are reported,
# or fail the Restore, or are kept because the mover runs as the user of a workload. A dry run writes nothing. The Job of a restore into an
# existing claim is deleted by a user: at each step, with the services killed, the restore is submitted once.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
prefix=kopiur.home-operations.com store=$home/volumes/store others=$home/others source=$home/source
mkdir -p "$store" "$others" "$source/letters"
for i in $(seq 300); do mkdir "$others/$i" && echo "$i" >"$others/$i/file"; done
other_cluster() { KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/other.config" "$@" >>"$home/other.txt" 2>&1 || die "kopia $1 $2: $(tail -3 "$home/other.txt")"; }
saves() { echo "$1" >"$source/letters/one" && chown -R 1234:1234 "$source" && other_cluster snapshot create "$source" --override-source docs@default:/pvc/source; }
other_cluster repository create filesystem --path "$store/kopia" --cache-directory "$home/other-cache"
other_cluster snapshot create "$others"/*
saves first
saves second
# for_movers: movers own the repository, whatever user they run as.
for_movers() { chown -R 65532:65532 "$store" && chmod -R a+rX "$store"; }
for_movers

start_services "${made%% *}" keep
kube get jobs -A --watch -o custom-columns=NAME:.metadata.name,UID:.metadata.uid,PODS:.spec.parallelism --no-headers >"$home/jobs" & pids+=($!)
{ secret password a-story; claim store "$store"; for each in newest bounded lost kept strict; do claim "$each" "$home/volumes/$each"; done; } | k apply -f - >>"$home/made"
chown 1234:1234 "$home/volumes/kept"
catalog() { { repository main /kopia password false store; printf '  catalog: %s\n' "$1"; } | k apply -f - >>"$home/made"; }
catalog '{retain: {perIdentity: 0}}'
await 90 "the repository is Ready" is repository main status.phase Ready
recipe docs | k apply -f - >>"$home/made"  # its source does not exist: nothing of it is backed up here
# restore NAME SOURCE CLAIM [MORE...]: into an existing claim; MORE are members of its spec.
by_config='{fromConfig: {name: docs, sourcePath: /pvc/source}}'
by_identity='{identity: {username: docs, hostname: default, sourcePath: /pvc/source}}'
restore() {
  printf -- 'apiVersion: %s/v1alpha1\nkind: Restore\nmetadata: {name: %s}\nspec:\n  repository: {name: main}\n  source: %s\n  target: {pvcRef: {name: %s}}\n' "$prefix" "$1" "$2" "$3"
  printf -- '  %s\n' "${@:4}"
}
letter() { cat "$home/volumes/$1/letters/one" 2>/dev/null; }
owner() { stat -c %u:%g "$home/volumes/$1/letters/one"; }
kept() { k get restore "$1" -o json | jq -r '.status.conditions[]? | select(.type == "OwnershipKept").'"$2"; }
of_ready() { k get restore "$1" -o json | jq -r '.status.conditions[]? | select(.type == "Ready").'"$2"; }

restore plan "$by_identity" newest 'dryRun: true' | k apply -f - >>"$home/made"
await 60 "a plan is made" is restore plan status.phase Completed
[ "$(field restore plan status.plan.created)" = 1 ] && [ "$(field restore plan status.plan.ownershipLost)" = 3 ] || die "the plan says $(field restore plan status.plan)"
[ -z "$(ls -A "$home/volumes/newest")" ] || die "the plan has written"
restore newest "$by_config" newest 'policy: {onMissingSnapshot: Continue}' | k apply -f - >>"$home/made"
await 60 "the newest of another cluster is restored" is restore newest status.phase Completed
[ "$(letter newest)" = second ] || die "it gave back \"$(letter newest)\": $(of_ready newest message)"
[ "$(field restore newest status.target.pvcRef)" = newest ] || die "the target is $(field restore newest status.target)"
saves third && for_movers
catalog '{retain: {perIdentity: 1, maxAgeDays: 1}}'
restore bounded "$by_config" bounded 'policy: {onMissingSnapshot: Continue}' | k apply -f - >>"$home/made"
await 60 "and what it saved since" is restore bounded status.phase Completed
[ "$(letter bounded)" = third ] || die "it gave back \"$(letter bounded)\": $(of_ready bounded message)"

[ "$(kept newest status)" = False ] && [ "$(owner newest)" = 65532:65532 ] || die "the owner is $(owner newest), and it says $(kept newest message)"
warned() { [ "$(k get events -o json | jq '[.items[] | select(.involvedObject.name == "newest" and .reason == "OwnershipLost" and .type == "Warning")] | length')" = 1 ]; }
await 30 "that owners were lost is told in an Event" warned
restore strict "$by_identity" strict 'options: {requireOwnership: true}' | k apply -f - >>"$home/made"
await 60 "one that may not lose them fails" is restore strict status.phase Failed
[ "$(of_ready strict reason)" = OwnershipNotKept ] && [ -z "$(ls -A "$home/volumes/strict")" ] || die "it says $(of_ready strict reason), and has written $(ls -A "$home/volumes/strict")"
mover='mover: {inheritSecurityContextFrom: {podSelector: {matchLabels: {app: db}}}}'
restore kept "$by_identity" kept 'options: {requireOwnership: true}' "$mover" | k apply -f - >>"$home/made"
waits_for_workload() { [[ $(of_ready kept message) == *'app=db'* ]]; }
await 60 "without the workload it waits, and says for what" waits_for_workload
k apply -f - >>"$home/made" <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: db}
spec:
  replicas: 0
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {securityContext: {runAsUser: 1234, runAsGroup: 1234}, containers: [{name: db, image: none}]}
YAML
await 60 "as the user of a workload that is stopped it keeps them" is restore kept status.phase Completed
[ "$(owner kept)" = 1234:1234 ] && [ "$(kept kept status)" = True ] || die "the owner is $(owner kept), and it says $(kept kept message)"

# Submitted once, whenever a user deletes the Job.
head -c 150000000 /dev/urandom >"$source/data.bin" && saves big && for_movers
for each in at-once writing ended; do claim "$each" "$home/volumes/$each"; done | k apply -f - >>"$home/made"
slowly='mover: {resources: {limits: {cpu: 250m}}}'
run_of() { field restore "$1" status.execution.runID; }
there() { [ -n "$(run_of "$1")" ] && k get job "$(run_of "$1")-1"; }
kill_services() { for each in mover-orchestration gateway; do kill -KILL "$(cat "$home/$each-1.pid")" 2>/dev/null || true; done; }
delete_job() { k delete job "$(run_of "$1")-1" --wait=false >>"$home/made" 2>&1 || die "the Job of $1 is not there any more"; }
# jobs_of NAME: its Jobs that were to run a pod; the mark of a removed Job runs none.
jobs_of() { grep "^$(run_of "$1")-.* 1$" "$home/jobs" | sort -u; }
# once NAME: there was one Job ever, and the Restore states how it ended.
once() {
  over() { [[ $(field restore "$1" status.phase) =~ ^(Completed|Failed)$ ]]; }
  await 120 "the restore whose Job was deleted $1 is over" over "$1"
  await 10 "the Job of $1 was seen" jobs_of "$1"
  [ "$(jobs_of "$1" | wc -l)" = 1 ] || die "$(jobs_of "$1") have served $1"
  [ "$(field restore "$1" status.execution.attempt)" = 1 ] || die "attempt $(field restore "$1" status.execution.attempt) of $1"
  ! is restore "$1" status.phase Completed || diff -r "$source" "$home/volumes/$1" >"$home/difference" || die "it is told as Completed, and differs: $(head -3 "$home/difference")"
  echo "ok: once; it is $(field restore "$1" status.phase), $(of_ready "$1" reason)"
}
restore at-once "$by_identity" at-once "$slowly" | k apply -f - >>"$home/made"
await 60 "its Job is there" there at-once
kill_services
delete_job at-once
once at-once
restore writing "$by_identity" writing "$slowly" | k apply -f - >>"$home/made"
writes_now() { [ -n "$(find "$home/volumes/writing" -type f -size +1M)" ]; }
await 60 "it writes" writes_now
delete_job writing  # a user who deletes it wants it to end
once writing
[ "$(of_ready writing reason)" = Unknown ] || die "it was stopped in the middle, and says $(of_ready writing reason)"
restore ended "$by_identity" ended "$slowly" | k apply -f - >>"$home/made"
await 60 "its Job is there" there ended
job=$(run_of ended)-1
kill -STOP "$(cat "$home/mover-orchestration-1.pid")"
await 120 "its mover has ended, and nobody has read how" is job "$job" status.succeeded 1
kill_services
delete_job ended
once ended
is restore ended status.phase Completed || die "its mover had ended well, and it says $(of_ready ended message)"
