#!/usr/bin/env bash
# httpRequest hooks against a real HTTP server: called before and after the snapshot, with the Secret's value in a header. A failing
# before-hook aborts the backup unless it may fail. After-hooks run also then, and when the quiesce timeout expires. A redelivered command
# or a killed kopiur sends no request again whose answer is stored.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
start_http_server
# hooked NAME BEFORE AFTER [CONTINUE]: a config that calls these paths.
hooked() {
  recipe "$1"
  cat <<YAML
  hooks:
    beforeSnapshot:
      - httpRequest:
          url: $at$2?of=$1-before
          body: "{\"freeze\": true}"
          headers: [{name: X-Token, valueFrom: {secretKeyRef: {name: hook, key: token}}}]
          timeout: 10s
        continueOnFailure: ${4:-false}
    afterSnapshot:
      - httpRequest: {url: "$at$3?of=$1-after", method: PUT, timeout: 10s}
YAML
}
{
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: hook, namespace: default}\nstringData: {token: open-sesame}\n'
  hooked good /ok /ok; hooked aborts /fail /ok; hooked goes-on /fail /fail true; hooked slow /slow /ok
  hooked held /hang /ok | sed 's/^          timeout: 10s$/          timeout: 60s/; s|^    beforeSnapshot:|    quiesceTimeoutSeconds: 4\n&|'
} >"$home/manifests/hooks.yaml"
requests() { jq -r --arg of "$1" 'select(.path | endswith("of=" + $of)) | .method' "$home/requests" | wc -l; }
# After-hooks may run after their Backup has Succeeded.
once() {
  for _ in $(seq 300); do [ "$(requests "$1")" = 0 ] || break; sleep 0.1; done
  [ "$(requests "$1")" = 1 ] || die "the hook $1 was called $(requests "$1") times: $(cat "$home/requests")"
}
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

[ -n "$(backup_now good)" ] || die "the backup with good hooks failed: $(k backups)"
once good-before && once good-after
said=$(jq -c 'select(.path | endswith("of=good-before"))' "$home/requests")
[ "$(jq -r .token <<<"$said")" = open-sesame ] && [ "$(jq -r .body <<<"$said")" = '{"freeze": true}' ] && [ "$(jq -r .method <<<"$said")" = POST ] || die "the request was not as written: $said"
[ "$(jq -s 'map(.path | split("of=")[1]) | join(" ")' -r "$home/requests")" = "good-before good-after" ] || die "not before and after: $(cat "$home/requests")"
! grep -rq open-sesame "$data/bus/store" || die "the Secret's value travelled over the bus"
echo "ok: before and after, with what the manifest says; the Secret's value never travelled"

name=$(ask_backup aborts)
await 30 "the backup whose before-hook fails has failed" is backup "$name" status.phase Failed
[ "$(field backup "$name" status.failure.class)" = HookFailed ] || die "its class is $(field backup "$name" status.failure.class)"
says "$(k backups --config aborts)" "beforeSnapshot[0]" "nothing was backed up" "answered 503"
called() { [ "$(requests "$1")" -ge 1 ]; }
await 15 "its after-hook ran all the same" called aborts-after
once aborts-before && once aborts-after
[ -n "$(backup_now goes-on)" ] || die "continueOnFailure did not let it go on"
once goes-on-before && once goes-on-after

name=$(ask_backup held) begun=$SECONDS
await 20 "the application that was held for too long is let go" called held-after
await 20 "and the Backup has failed" is backup "$name" status.phase Failed
[ $((SECONDS - begun)) -lt 50 ] || die "that took $((SECONDS - begun)) s: as long as the hook that hangs may"
[ "$(field backup "$name" status.failure.class)" = QuiesceTimeout ] || die "its class is $(field backup "$name" status.failure.class)"
says "$(k backups --config held)" "held the application for 4s" "hooks.quiesceTimeoutSeconds"
once held-before && once held-after

# kopiur dies while the hook is being answered: no answer was stored, so that call may be repeated, but no other one.
name=$(ask_backup slow)
await 15 "the slow hook is being called" called slow-before
kill_up && start_up
await 60 "the backup in whose hook kopiur was killed has succeeded" is backup "$name" status.phase Succeeded
[ "$(requests slow-before)" -le 2 ] || die "the interrupted hook was called $(requests slow-before) times"
once slow-after

# A command redelivered after its answer was stored gets the stored answer.
run=$(field backup "$name" status.job.name) && run=${run%-*}
key=$(grep -rhaoE "gateway\.call-http\.$run-after-0-[0-9]+" "$data/bus/store" | head -1)
[ -n "$key" ] || die "the command of $run's hook is not in the bus"
publish "kopiur.v1.cmd.local.$key" "{\"namespace\":\"default\",\"url\":\"$at/ok?of=slow-after\",\"method\":\"PUT\",\"timeoutSeconds\":10}"
sleep 4
once slow-after
each_once 3
echo "ok: a redelivered command sends nothing again"
