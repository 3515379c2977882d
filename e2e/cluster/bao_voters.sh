#!/usr/bin/env bash
# with_node.sh --plain bao_voters.sh: where the chart says so, each voter of a real OpenBao is restarted once after a restore, one after the other, while the
# operation lock is kept.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bao_stage.sh"
export KOPIUR_OPENBAO_RESTART_VOTERS=true
stage start 3
write_secret before
key=$(back_up monday)
write_secret after
voters() { b get pods -l app=vault -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.uid}{"\n"}{end}' | sort; }
voters >"$home/voters"
bao_restore back "$key" | kube apply -f - >>"$home/made"
says_so() { message back | grep RestartingVoters; }
await 120 "the voters are being restarted" says_so
[ "$(lock)" = openbaorestore/back ] || die "the lock was released while voters are restarted"
await 240 "the restore is completed" in_phase back Completed
await 30 "the lock is released" unlocked
voters >"$home/voters.now"
[ "$(sort "$home/voters" "$home/voters.now" | uniq -d | wc -l)" = 0 ] && [ "$(wc -l <"$home/voters.now")" = 3 ] || die "not every voter was restarted: $(cat "$home/voters" "$home/voters.now")"
made=$(b get events -o json | jq '[.items[] | select(.reason == "SuccessfulCreate" and .involvedObject.kind == "StatefulSet") | .count // 1] | add')
[ "$made" = 6 ] || die "three voters were started $made times"
log_in "$ns" vault "$(cat "$home/vault.$ns.root")" >>"$home/made"
await 60 "the old secret is there again" secret_is before
[ "$(submissions "$ns" vault)" = 1 ] || die "it was submitted $(submissions "$ns" vault) times"
