#!/usr/bin/env bash
# with_node.sh --plain bao_restore.sh: a real OpenBao with raft storage and TLS is backed up into a real S3 store and restored from it: the old secret is
# there again. The operation lock, the receipts and the claim are as they have to be; what must not happen is refused in words.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bao_stage.sh"
stage

# --- backed up, changed, restored
write_secret before
key=$(back_up monday)
[[ $key == vault-prod/vault/*.snap && -s $home/s3/bao/$key ]] || die "the backup is $key: $(find "$home/s3")"
digest=sha256:$(sha256sum "$home/s3/bao/$key" | cut -d' ' -f1)
await 30 "the lock of the backup is released" unlocked
write_secret after
bao_restore back "$key" '' ", expectedDigest: \"$digest\"" | kube apply -f - >>"$home/made"
locked() { [ "$(lock)" = openbaorestore/back ]; }
await 60 "the operation lock is taken" locked
await 180 "the restore is completed" in_phase back Completed
await 60 "the old secret is there again" secret_is before
await 30 "nothing is left, and the lock is released" nothing_left
b get openbaorestore back -o json >"$home/back.json"
jq -e --arg digest "$digest" '.status | .submissionClaim.digest == $digest and .execution.stage == "FollowThroughComplete" and .execution.terminalResult == "Succeeded" and .snapshotSize > 0' "$home/back.json" >>"$home/made" ||
  die "its status: $(jq .status "$home/back.json")"
[ "$(submissions "$ns" vault)" = 1 ] || die "it was submitted $(submissions "$ns" vault) times"
[ "$(b get openbaocluster vault -o jsonpath='{.status.theirs}')" = kept ] || die "the status of the cluster was overwritten"
b get events -o json | jq -e '.items[] | select(.involvedObject.name == "back" and .reason == "RestoreCompleted")' >>"$home/made" || die "there is no Event"
b get openbaorestores | tee "$home/table" | grep -qE "back +vault +Completed" || die "its columns: $(cat "$home/table")"
echo "ok: backed up, changed, restored: the old secret is there, submitted once"

# --- what is wrong is told, and nothing is submitted
bao_restore other "$key" '' ", expectedDigest: \"sha256:$(printf 0%.0s {1..64})\"" | kube apply -f - >>"$home/made"
bao_restore absent vault-prod/vault/nothing.snap | kube apply -f - >>"$home/made"
b create secret generic wrong --from-literal=token=s.wrong >>"$home/made"
bao_restore wrong "$key" '' '' wrong | kube apply -f - >>"$home/made"
for each in other absent wrong; do await 240 "the restore $each has failed" in_phase "$each" Failed; done
says other "digest"
says absent "nothing.snap"
bao_restore nowhere "$key" | sed 's/cluster: vault/cluster: nowhere/' | kube apply -f - >>"$home/made"
await 60 "a restore of no cluster has failed" in_phase nowhere Failed
says nowhere "There is no OpenBaoCluster"
bao_restore role "$key" 'jwtAuthRole: restorer' | kube apply -f - >>"$home/made"
await 180 "a role that does not exist is told" in_phase role Failed
await 30 "nothing is left of them" nothing_left
echo "ok: $(message wrong)"

# --- the lock of another holder
foreign() { b patch openbaocluster vault --subresource=status --type=merge -p "{\"status\": {\"operationLock\": {\"operation\": \"Upgrade\", \"holder\": \"openbaocluster/upgrade\", \"message\": \"theirs\", \"acquiredAt\": \"$1\", \"renewedAt\": \"$1\"}}}" >>"$home/made"; }
now() { date -u +%FT%TZ; }
foreign "$(now)"
bao_restore waits "$key" | kube apply -f - >>"$home/made"
blocked() { [ "$(b get openbaorestore waits -o json | jq -r '.status.message' | grep -c 'locked for Upgrade by openbaocluster/upgrade')" = 1 ]; }
await 30 "it waits for the holder, and names it" blocked
[ "$(lock)" = openbaocluster/upgrade ] || die "the lock was stolen by $(lock)"
b patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"operationLock": null}}' >>"$home/made"
await 120 "released by its holder, the restore is completed" in_phase waits Completed
foreign "$(now)"
bao_restore forced "$key" 'force: true, overrideOperationLock: true' | kube apply -f - >>"$home/made"
await 120 "with force the lock is taken" in_phase forced Completed
b get openbaorestore forced -o json | jq -e '.status.conditions[] | select(.type == "OperationLockOverride" and .status == "True")' >>"$home/made" || die "that the lock was taken away is not told"
await 30 "and released" unlocked
echo "ok: a foreign lock is waited for, or taken with force"

! { kube get openbaorestores,events,jobs,pods -A -o yaml; cat "$home"/*-1.log; } | grep -F -e "$canary" -e "$(cat "$home/vault.$ns.root")" || die "a key or a token is told"
echo "ok: keys and tokens are in their Secrets only"
