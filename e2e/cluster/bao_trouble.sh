#!/usr/bin/env bash
# with_node.sh --plain bao_trouble.sh: three voters. What goes wrong around a restore of a real OpenBao: a restore while a backup runs, a snapshot of another
# cluster (refused without force; with it the cluster is sealed, and the lock kept until it is unsealed by the other cluster's key), a lock that a deleted
# restore has left, the cluster deleted in the middle, a login by a role and a real token of a service account, a tenant who writes what only kopiur may.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bao_stage.sh"
stage start 3

# --- three voters
write_secret before
key=$(back_up monday)
write_secret after
bao_restore three "$key" | kube apply -f - >>"$home/made"
await 180 "a restore with three voters is completed" in_phase three Completed
await 60 "the old secret is there again" secret_is before
[ "$(submissions "$ns" vault)" = 1 ] || die "it was submitted $(submissions "$ns" vault) times"
echo "ok: three voters"

# --- a restore and a backup at once: one waits for the other
b annotate openbaocluster vault --overwrite openbao.org/trigger-backup=together >>"$home/made"
bao_restore together "$key" | kube apply -f - >>"$home/made"
await 240 "the restore is completed" in_phase together Completed
done_with() { [ "$(b get openbaocluster vault -o jsonpath='{.status.backup.lastHandledManualTrigger}')" = "$1" ]; }
await 120 "the backup was taken, or refused" done_with together
await 30 "nothing is left" nothing_left
echo "ok: a restore and a backup at once"

# --- beside a stand-in of OpenBao's operator, which takes the lock for backups again and again: neither takes it from the other
KUBECONFIG=$cluster/admin.kubeconfig python3 "$root/e2e/cluster/bao_operator.py" "$KOPIUR_KUBECTL" "$ns" vault 60 >"$home/operator" 2>"$home/operator.log" &
operator=$!
works() { [ "$(lock)" = openbaocluster/backup ]; }
await 30 "the operator's backup holds the lock" works
for n in 1 2 3; do
  bao_restore "beside-$n" "$key" | kube apply -f - >>"$home/made"
  await 120 "beside it a restore is completed" in_phase "beside-$n" Completed
done
wait "$operator" || die "$(cat "$home/operator.log")"
[ "$(cat "$home/operator")" -ge 2 ] || die "the operator has taken $(cat "$home/operator") backups only"
echo "ok: three restores beside $(cat "$home/operator") backups of an operator"

# --- by a role, with a token of the Job's service account
in_bao "$ns" vault auth enable -path=jwt-operator jwt >>"$home/made"
in_bao "$ns" vault write auth/jwt-operator/config jwt_validation_pubkeys="$(cat "$cluster/sa.pub")" >>"$home/made"
kube -n "$ns" exec -i vault-0 -- /usr/bin/bao policy write restorer - >>"$home/made" <<<'path "sys/storage/raft/snapshot" { capabilities = ["update"] }'
in_bao "$ns" vault write auth/jwt-operator/role/restorer role_type=jwt user_claim=sub bound_audiences=openbao-internal \
  bound_subject="system:serviceaccount:$ns:vault-restore-serviceaccount" token_policies=restorer ttl=1h >>"$home/made"
b annotate openbaocluster vault --overwrite openbao.org/trigger-backup=with-role >>"$home/made"
await 120 "a backup with the role in it" done_with with-role
role_key=$(b get openbaocluster vault -o jsonpath='{.status.backup.lastBackupName}')
bao_restore by-role "$role_key" 'jwtAuthRole: restorer' | sed 's/, tokenSecretRef: {name: bao-token}//' | kube apply -f - >>"$home/made"
await 180 "a restore by a role is completed" in_phase by-role Completed
echo "ok: logged in by a role with a token of the service account"

# --- the lock of a restore that was deleted by force
forgotten() { b patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"operationLock": {"operation": "Restore", "holder": "openbaorestore/forgotten", "message": "m", "acquiredAt": "2026-01-01T00:00:00Z", "renewedAt": "2026-01-01T00:00:00Z"}}}' >>"$home/made"; }
forgotten
bao_restore takes-over "$role_key" | kube apply -f - >>"$home/made"
await 180 "the lock of a restore that is gone is taken over" in_phase takes-over Completed
await 30 "and released" unlocked

# --- a tenant who may edit the namespace writes neither the lock nor a receipt
kube create rolebinding tenant -n "$ns" --clusterrole=edit --user=nobody >>"$home/made"
as_tenant() { KUBECONFIG=$cluster/nobody.kubeconfig "$KOPIUR_KUBECTL" -n "$ns" "$@"; }
! as_tenant patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"operationLock": null}}' >>"$home/made" 2>&1 || die "a tenant may write the lock"
! as_tenant patch openbaorestore three --subresource=status --type=merge -p '{"status": {"phase": "Pending"}}' >>"$home/made" 2>&1 || die "a tenant may write a receipt"
# Nor is a Job of the tenant, under the name that the restore's will have, taken for it.
job_of() { python3 -c 'import hashlib, struct, sys
parts = [b"openbao-restore", sys.argv[2].encode()]
print("restore-%s-%s-1" % (sys.argv[1], hashlib.sha256(b"".join(struct.pack("<Q", len(each)) + each for each in parts)).hexdigest()[:8]))' "$1" "$(b get openbaorestore "$1" -o jsonpath='{.metadata.uid}')"; }
b patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"operationLock": {"operation": "Backup", "holder": "openbaocluster/backup", "message": "m", "acquiredAt": "2026-01-01T00:00:00Z", "renewedAt": "2026-01-01T00:00:00Z"}}}' >>"$home/made"
count=$(submissions "$ns" vault)
bao_restore squatted "$role_key" | kube apply -f - >>"$home/made"
printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: %s}\nspec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: none}]}}}\n' "$(job_of squatted)" | as_tenant apply -f - >>"$home/made"
b patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"operationLock": null}}' >>"$home/made"
told() { message squatted | grep -F 'was not made by this run'; }
await 120 "a Job of the tenant holds the restore up, and is told" told
[ "$(submissions "$ns" vault)" = "$count" ] || die "something was submitted"
as_tenant delete job "$(job_of squatted)" >>"$home/made"
await 180 "without it the restore is completed" in_phase squatted Completed
[ $(($(submissions "$ns" vault) - count)) = 1 ] || die "it was submitted $(($(submissions "$ns" vault) - count)) times"
# One who may write a status cannot make a second submission of it: a receipt that is forged before the commit makes the restore Unknown.
count=$(submissions "$ns" vault)
bao_restore forged "$key" | kube apply -f - >>"$home/made"
uid=$(b get openbaorestore forged -o jsonpath='{.metadata.uid}')
b patch openbaorestore forged --subresource=status --type=merge -p "{\"status\": {\"phase\": \"Running\", \"execution\": {\"operationID\": \"$uid\", \"stage\": \"Committed\"}}}" >>"$home/made"
over() { [[ $(phase "$1") =~ ^(Completed|Failed|Unknown)$ ]]; }
await 240 "a restore with a forged receipt is over" over forged
[ $(($(submissions "$ns" vault) - count)) -le 1 ] || die "it was submitted twice"
await 60 "the lock is free" unlocked
echo "ok: a forged receipt: $(phase forged)"

# --- a snapshot of another cluster
ns=other-prod bao_pods other-prod 1 "${bao%% *}"
(ns=other-prod && bao_cluster_object other-prod vault 1)
in_bao other-prod vault secrets enable -path=kv kv >>"$home/made"
in_bao other-prod vault kv put kv/it value=of-the-other >>"$home/made"
kube -n other-prod annotate openbaocluster vault openbao.org/trigger-backup=first >>"$home/made"
theirs() { kube -n other-prod get openbaocluster vault -o json | jq -re '.status.backup.lastBackupName'; }
await 120 "the other cluster is backed up" theirs
bao_restore refused "$(theirs)" | kube apply -f - >>"$home/made"
await 180 "without force OpenBao refuses it" in_phase refused Failed
says refused "OpenBao refused the snapshot"
secret_is before || die "the secret is another one"
bao_restore sealed "$(theirs)" 'force: true' | kube apply -f - >>"$home/made"
waits() { message sealed | grep -E 'WaitingForUnseal|WaitingForVoters'; }
await 240 "with force it is taken, and a human has to unseal" waits
[ "$(lock)" = openbaorestore/sealed ] || die "the lock was released while the cluster is sealed"
other_key=$(jq -r '.unseal_keys_b64[0]' "$home/bao-other-prod-vault/init.json")
for i in 0 1 2; do await 60 "vault-$i is unsealed by the other cluster's key" unsealed "$ns" "vault-$i" "$other_key"; done
await 300 "then the restore is completed" in_phase sealed Completed
await 60 "and the lock released" unlocked
log_in "$ns" vault "$(cat "$home/vault.other-prod.root")" >>"$home/made"
secret_is of-the-other || die "the secret is not that of the other cluster"
echo "ok: a snapshot of another cluster"

# --- the cluster is deleted in the middle
bao_restore orphan "$(theirs)" | kube apply -f - >>"$home/made"
runs() { [ "$(phase orphan)" = Running ]; }
await 60 "it runs" runs
b delete openbaocluster vault >>"$home/made"
await 300 "the restore of a deleted cluster is over" over orphan
echo "ok: $(phase orphan): $(message orphan)"
