#!/usr/bin/env bash
# Garbage on every subject that a service reads: it becomes a dead letter with a reason, or is refused with a message. Everything else
# continues.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
publish kopiur.v1.cmd.local.gateway.create.poison 'this is not a command'
publish kopiur.v1.cmd.local.gateway.burn.poison '{"everything":true}'
publish kopiur.v1.lease-req.acquire.poison.run '[1, 2'
publish kopiur.v1.run.local.poison 'this is no fact'
publish kopiur.v1.run.local.other-poison '{"state":{"stage":"Upside down"}}'
publish kopiur.v1.req.local.default.backup 'this is no request'
publish kopiur.v1.req.local.default.explode '{"config":"docs"}'
publish kopiur.v1.resource.local.Backup.default.poison '{"spec": 5}'
publish kopiur.v1.answer.local.gateway.create.poison 'this is no answer'
publish kopiur.v1.status.local.Repository.default.main.poison 'this is no status'
publish kopiur.v1.lease.poison 'this is no lease'

letters() { k bus dlq -o json 2>/dev/null; }
# buried SUBJECT TEXT: a dead letter of this subject exists, with this text in its reason.
buried() { letters | jq -e --arg of "$1" --arg why "$2" 'any(.[]; .subject == $of and (.reason | contains($why)))'; }
await 15 "a command that is not JSON" buried kopiur.v1.cmd.local.gateway.create.poison "not JSON"
await 5 "a command that nobody knows" buried kopiur.v1.cmd.local.gateway.burn.poison "exactly one of create-object"
await 5 "a lease request that is none" buried kopiur.v1.lease-req.acquire.poison.run "not a lease request"
await 5 "a fact that is not JSON" buried kopiur.v1.run.local.poison "not JSON"
await 5 "a fact of no known stage" buried kopiur.v1.run.local.other-poison "state.stage"
await 5 "a request that is not JSON" buried kopiur.v1.req.local.default.backup "Send an object such as"
await 5 "a request that nobody knows" buried kopiur.v1.req.local.default.explode "the verbs are backup"
await 5 "an object that is none" buried kopiur.v1.resource.local.Backup.default.poison "spec: must be an object"
await 5 "an answer that is none" buried kopiur.v1.answer.local.gateway.create.poison "not JSON"
await 5 "a lease that is none" buried kopiur.v1.lease.poison "not JSON"
await 5 "a share of a status that is none" buried kopiur.v1.status.local.Repository.default.main.poison "not JSON"
[ "$(letters | jq length)" = 11 ] || die "there should be 11 dead letters: $(k bus dlq)"
says "$(k bus dlq 2>&1)" "kopiur.v1.run.local.poison" "state.stage"
says "$(k doctor 2>&1 || true)" "11: look at them with kopiur bus dlq"
counted() { [ "$(curl -sf "$(cat "$home/data/http")/metrics" | awk '/^kopiur_dead_letters_total/ {sum += $2} END {print sum + 0}')" = 11 ]; }
await 5 "the metrics count them" counted

[ -n "$(backup_now)" ] || die "a backup beside the garbage failed: $(k backups)"
each_once 1
k delete backup "$(k get backups -o json 2>/dev/null | jq -r '.items[] | select(.status.phase == "Succeeded").metadata.name')" >/dev/null 2>&1
none_left() { [ -z "$(named_snapshots)" ] && [ -z "$(snapshots)" ]; }
await 40 "deleting works too" none_left
kill_up && start_up
await 30 "after kill -9 and a new start it is Ready" is repository main status.phase Ready
[ "$(letters | jq length)" = 11 ] || die "the garbage was buried again: $(k bus dlq)"
first=$(letters | jq -r '.[0].sequence')
says "$(k bus dlq --show "$first")" "Dead-Reason" "this is not a command"
k bus dlq --drop "$first" >/dev/null && [ "$(letters | jq length)" = 10 ] || die "a dead letter could not be dropped"
fact=$(letters | jq '.[] | select(.subject == "kopiur.v1.run.local.poison").sequence')
says "$(k bus dlq --retry "$fact" 2>&1 || true)" "would overwrite newer state"
asked=$(letters | jq '.[] | select(.subject == "kopiur.v1.req.local.default.backup").sequence')
k bus dlq --retry "$asked" >/dev/null || die "a dead letter could not be sent once more"
again() { letters | jq -e --argjson former "$asked" 'length == 10 and any(.[]; .subject == "kopiur.v1.req.local.default.backup" and .sequence > $former)'; }
await 15 "one that is sent once more, and is still none, is buried again" again
echo "ok: eleven dead letters, each with its reason; all else goes on"
