#!/usr/bin/env bash
# with_node.sh --plain bao_crash.sh: at each step of a restore of a real OpenBao something is killed (kill -9): mover-orchestration, gateway, both, the
# executor in its pod, or nats-server; or the bus loses every stream. Each restore was submitted once or not at all, as OpenBao's own audit log says, and one
# that was not is never Completed. Then the lock is free. RUNS=N: that many restores (10).
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bao_stage.sh"
autopilot_off=  # OpenBao itself crashes then, now and then
stage keep
runs=${RUNS:-10}
sed -i "s/127.0.0.1:-1/${url#nats://}/" "$home/bus/conf"  # started again, it is at the same place
start_bus_again() { "$KOPIUR_NATS_SERVER" -c "$home/bus/conf" >>"$home/nats-server.log" 2>&1 & bus=$!; pids+=($!); }
end_bus() { kill -KILL "$bus" && wait "$bus" 2>/dev/null || true; }
write_secret before
key=$(back_up first)

# The steps, as others see them.
named() { b get openbaorestore "$1" -o name; }
validating() { [ "$(phase "$1")" = Validating ]; }
locked() { [ "$(lock)" = "openbaorestore/$1" ]; }
stage_of() { b get openbaorestore "$1" -o jsonpath='{.status.execution.stage}'; }
prepared() { [ -n "$(stage_of "$1")" ]; }
committed() { [ "$(stage_of "$1")" = Committed ] || created "$1"; }
job_of() { b get jobs -o json | jq -e --arg name "restore-$1-" '.items[] | select((.metadata.name | startswith($name)) and .spec.completions != 0)'; }
created() { job_of "$1"; }
pod_of() { b get pods -o json | jq -e --arg name "restore-$1-" "[.items[] | select(.metadata.name | startswith(\$name)) | select($2)] | length > 0"; }
has_pod() { pod_of "$1" true; }
claimed() { [ -n "$(b get openbaorestore "$1" -o jsonpath='{.status.submissionClaim.podUID}')" ]; }
submitted() { [ "$(submissions "$ns" vault)" -gt "$count" ]; }
ended() { pod_of "$1" '.status.phase == "Succeeded" or .status.phase == "Failed"'; }
observed() { [[ $(stage_of "$1") = TerminalObserved || $(stage_of "$1") = FollowThroughComplete ]]; }
steps=(named validating locked prepared committed created has_pod claimed submitted ended observed)

# The victims.
one() { kill -KILL "$(cat "$home/$1-1.pid")" 2>/dev/null || true; }
orchestrator() { one mover-orchestration; }
gateway() { one gateway; }
both() { one mover-orchestration; one gateway; }
executor() { local each; for each in $(pgrep -f -- "kopiur-executor bao-restore" || true); do kill -KILL "$each" 2>/dev/null || true; done; }
bus() { end_bus; start_bus_again; }
streams() {
  end_bus
  rm -rf "$home/bus/store"
  start_bus_again
  await 20 "the streams are there again" "$bin/kopiur" bus apply >>"$home/made"
}
job() { b delete job --force --grace-period=0 $(b get jobs -o name | grep "/restore-$1-") >>"$home/made" 2>&1 || true; }
victims=(orchestrator gateway both executor bus streams job)

is_over() { [[ $(phase "$1") =~ ^(Completed|Failed|Unknown)$ ]]; }
declare -A ends=()
for ((n = 1; n <= runs; n++)); do
  step=${steps[$((n % ${#steps[@]}))]} victim=${victims[$((n % ${#victims[@]}))]} name=crash-$n count=$(submissions "$ns" vault)
  write_secret "after-$n"
  bao_restore "$name" "$key" | kube apply -f - >>"$home/made"
  limit=$((SECONDS + 90))
  until "$step" "$name" >/dev/null 2>&1 || is_over "$name"; do [ "$SECONDS" -lt "$limit" ] || die "$step of $name was never seen: $(b get openbaorestore "$name" -o yaml)"; done
  "$victim" "$name"
  await 400 "$victim killed at $step: $name is over" is_over "$name"
  await 120 "nothing is left of it, and the lock is free" nothing_left
  times=$(($(submissions "$ns" vault) - count)) is=$(phase "$name")
  [ "$times" -le 1 ] || die "$name was submitted $times times: $victim killed at $step"
  [ "$is" != Completed ] || [ "$times" = 1 ] || die "$name is Completed, and was never submitted: $victim killed at $step"
  [ "$is" != Failed ] || [ "$times" = 0 ] || die "$name is Failed, and was submitted: $(message "$name")"
  [ "$is" != Completed ] || secret_is before || die "$name is Completed, and the old secret is not there"
  ends[$is]=$((${ends[$is]:-0} + 1))
  echo "ok: $n: $victim killed at $step: $is, submitted $times times"
done
for each in "${!ends[@]}"; do summary+="${summary:+, }${ends[$each]} $each"; done
echo "ok: $runs restores, each submitted at most once: $summary"
