#!/usr/bin/env bash
# Work requested by plain messages on the bus, as a button or an event source sends them: a Backup, a Maintenance, a cancel. Each is done
# once however often it arrives, and answered. A Restore only where the administrator has enabled that.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
cat >>"$home/manifests/all.yaml" <<YAML
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Maintenance
metadata: {name: main, namespace: default}
spec: {repository: {name: main}}
YAML
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

# ask VERB BODY: prints the answer to the request.
ask() {
  local line='' tries=0
  open_bus
  printf 'SUB kopiur.v1.ack.local.default.> 1\r\nPUB kopiur.v1.req.local.default.%s %d\r\n%s\r\n' "$1" "$(printf %s "$2" | wc -c)" "$2" >&9
  while [[ $line != '{'* ]]; do [ $((tries += 1)) -lt 20 ] && IFS= read -r -t 20 -u 9 line || die "nobody has answered to $1"; done
  exec 9>&-
  printf '%s\n' "${line%$'\r'}"
}
taken() { jq -e .accepted <<<"$1" >"$home/said" || die "it was refused: $1"; }
refused() { ! jq -e .accepted <<<"$1" >"$home/said" || die "it was taken: $1"; says "$1" "$2"; }

answer=$(ask backup '{"id":"button-1","config":"docs"}')
taken "$answer"
name=$(jq -r .name <<<"$answer")
await 60 "the Backup that was asked for Succeeded" is backup "$name" status.phase Succeeded
again=$(ask backup '{"id":"button-1","config":"docs"}')
[ "$(jq -r .name <<<"$again")" = "$name" ] || die "the same request made another Backup: $again"
each_once 1
refused "$(ask backup '{"id":"button-2"}')" "name a BackupConfig"
refused "$(ask dance '{"id":"button-3"}')" "the verbs are backup, restore, maintenance and cancel"
taken "$(ask maintenance '{"id":"button-4","maintenance":"main"}')"
maintained() { [ -n "$(field maintenance main status.quick.lastRunAt)" ]; }
await 60 "it is maintained" maintained

wanted="{\"id\":\"button-5\",\"spec\":{\"source\":{\"backupRef\":{\"name\":\"$name\"}},\"target\":{\"pvc\":{\"name\":\"back\",\"capacity\":\"1Gi\",\"accessModes\":[\"ReadWriteOnce\"]}}}}"
refused "$(ask restore "$wanted")" "are disabled here"
stop_up && start_up --restore-by-request
await 60 "the repository is Ready" is repository main status.phase Ready
answer=$(ask restore "${wanted/button-5/button-6}")
taken "$answer"
await 60 "the Restore that was asked for is Completed" is restore "$(jq -r .name <<<"$answer")" status.phase Completed
diff -r "$home/source" "$data/volumes/default/back" >&2 || die "it gave other bytes back"

head -c 600000000 /dev/urandom >"$home/source/big.bin"
name=$(ask_backup)
mover_of backup >"$home/said" || die "no mover came"
taken "$(ask cancel "{\"id\":\"button-7\",\"kind\":\"Backup\",\"name\":\"$name\"}")"
await 60 "the Backup is Failed" is backup "$name" status.phase Failed
[ "$(field backup "$name" status.failure.class)" = Cancelled ] || die "its class is $(field backup "$name" status.failure.class)"
