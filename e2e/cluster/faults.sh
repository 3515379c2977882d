#!/usr/bin/env bash
# with_node.sh faults.sh: cluster faults during runs. Two gateways, the active one killed in the middle of a backup; the API server killed
# in another; a mover's Job deleted by a user; a Backup deleted while it runs; a missing Secret and a missing image. Each run is done once
# or states why not. Afterwards we write nothing for a minute.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
start gateway 2
source=$home/volumes/source
{ claim store "$home/volumes/store"; claim source "$source"; } | k apply -f - >>"$home/made"
head -c 250000000 /dev/urandom >"$source/data.bin"
chown -R 65532:65532 "$source"
prefix=kopiur.home-operations.com

# Without its password no repository can be opened: the status says so, and work continues as soon as it exists.
# A quarter of a core for each mover: time to interrupt it.
{ repository main /kopia password true store && rarely_listed; recipe docs | slow; } | k apply -f - >>"$home/made"
message() { k get "$1" "$2" -o json | jq -r '[.status.conditions[]?.message] | join(" ")'; }
says() { grep -qF "$3" <<<"$(message "$1" "$2")"; }
await 30 "the missing Secret is told" says repository main "Waiting for Secret default/password"
secret password a-story | k apply -f - >>"$home/made"
await 60 "the repository is Ready" is repository main status.phase Ready

# job_of BACKUP: the newest Job that serves it; run_of BACKUP: its run.
job_of() { k get jobs -o json | jq -r --arg name "$1" --arg made "$prefix/create-job" '[.items[] | select((.metadata.annotations[$made] // "{}" | fromjson | .serves // []) | any(.name == $name)) | .metadata] | max_by(.creationTimestamp).name // empty'; }
run_of() { local job; job=$(job_of "$1") && echo "${job%-*}"; }
mover_runs() { [ "$(k get pods -l "job-name=$(job_of "$1")" -o jsonpath='{.items[*].status.phase}')" = Running ]; }
change() { date +%N >>"$source/changes"; head -c 120000000 /dev/urandom >"$source/data.bin"; }

change && backup killed-gateway
await 60 "its mover runs" mover_runs killed-gateway
holder() { kube get lease kopiur-gateway -n kopiur-system -o jsonpath='{.spec.holderIdentity}'; }
first=$(holder)
for n in 1 2; do [[ $first != *_$(cat "$home/gateway-$n.pid")_* ]] || active=$n; done
began=${EPOCHREALTIME/./}
{ kill -KILL "$(cat "$home/gateway-$active.pid")" && wait "$(cat "$home/gateway-$active.pid")" || true; } 2>/dev/null
taken_over() { [ -n "$(holder)" ] && [ "$(holder)" != "$first" ]; }
await 15 "the other gateway takes over" taken_over
took=$(((${EPOCHREALTIME/./} - began) / 1000))
[ "$took" -lt 10000 ] || die "that took $took ms"
await 60 "the Backup whose gateway was killed Succeeded" is backup killed-gateway status.phase Succeeded
start gateway "$active"

change && backup killed-api
await 60 "its mover runs" mover_runs killed-api
kill -KILL "$(cat "$home/apiserver.pid")"
await 90 "the Backup during which the API server was killed Succeeded" is backup killed-api status.phase Succeeded

change && backup deleted-job
await 60 "its mover runs" mover_runs deleted-job
run=$(run_of deleted-job)
k delete job "$(job_of deleted-job)" --cascade=orphan >>"$home/made"
running() { k get pods -l "$prefix/run=$1" -o json | jq '[.items[] | select(.status.phase == "Running")] | length'; }
# The Job's pod was orphaned and still runs: it must end before a new attempt begins.
done_alone() { [ "$(running "$run")" -le 1 ] || die "two movers of one run at a time"; is backup deleted-job status.phase Succeeded; }
await 120 "the Backup whose Job was deleted Succeeded, with never two movers" done_alone
[[ $(job_of deleted-job) == *-2 ]] || die "it should be the second attempt: $(job_of deleted-job)"

change && backup unwanted
await 60 "its mover runs" mover_runs unwanted
unwanted=$(run_of unwanted)
k delete backup unwanted --wait=false >>"$home/made"
await 120 "the Backup that was deleted while it was taken is gone" gone backup unwanted

in_repository snapshot list --all --json >"$home/snapshots.json"
[ "$(jq '[.[] | select(.incomplete == null)] | length' "$home/snapshots.json")" = 3 ] || die "three snapshots should be there: $(jq -c '[.[].tags]' "$home/snapshots.json")"
jq -e --arg run "$unwanted" 'all(.[]; .tags."tag:kopiur-run" != $run)' "$home/snapshots.json" >"$home/said" || die "what nobody wants any more was saved"
diff <(jq -r '.[].id' "$home/snapshots.json" | sort) <(k get backups -o json | jq -r '.items[].status.snapshot.kopiaSnapshotID' | sort) >&2 || die "the repository does not hold what the Backups name"
echo "ok: each of the three was taken once, and nothing else"

settled() { [ "$(k get backups,repositories -o json | jq '[.items[] | select(.status.phase != "Succeeded" and .status.phase != "Ready")] | length')" = 0 ]; }
await 60 "everything has settled" settled
await_quiet 60
