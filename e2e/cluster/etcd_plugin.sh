#!/usr/bin/env bash
# with_node.sh --plain etcd_plugin.sh: a stand-in for HyperShift's OADP plugin, written from its contract (names, 30 s, polls of 5 s, 10 minutes, the copied
# Secret): a backup and a restore by it, two control planes in one Velero backup, and what it makes of failures. Then tenants who name what is not theirs.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/etcd_stage.sh"
stage
control_plane clusters-two 1 "${etcd%% *}" two
kube apply -f - >>"$home/made" <<<'{"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster", "metadata": {"name": "two", "namespace": "clusters"}, "spec": {}}'
# What Velero has in its own namespace: the credentials of its store, which the plugin copies.
kube create namespace openshift-adp >>"$home/made"
kube -n openshift-adp create secret generic cloud-credentials --from-literal=cloud="$(printf '[default]\naws_access_key_id = rootkey\naws_secret_access_key = %s\n' "$canary")" >>"$home/made"

condition() { kube -n "$1" get hcpetcdbackup "$2" -o json | jq -r '.status.conditions[]? | select(.type == "BackupCompleted").reason'; }
# copy_secret BACKUP: one per Velero backup, with the key that the operator reads; one that exists is used unchanged.
copy_secret() {
  local name=etcd-backup-creds-$1
  kube -n "$system" get secret "$name" >/dev/null 2>&1 || {
    kube -n openshift-adp get secret "${SOURCE:-cloud-credentials}" -o json | jq --arg name "$name" --arg ns "$system" \
      '{apiVersion, kind, type, metadata: {name: $name, namespace: $ns, labels: {"hypershift.openshift.io/etcd-backup": "true"}}, data: (.data + {credentials: .data.cloud})}' | kube create -f - >>"$home/made"
  }
}
# plugin_backup VELERO_BACKUP NAMESPACE: prints the URL. 1: creation or the first 30 s failed; 2: the end did.
plugin_backup() {
  local backup=$1 ns=$2 name from reason=''
  name=oadp-$backup-$(printf %04x $RANDOM)
  copy_secret "$backup"
  echo "$name" >"$home/last"
  printf 'apiVersion: hypershift.openshift.io/v1beta1\nkind: HCPEtcdBackup\nmetadata: {name: %s, namespace: %s}\nspec: {storage: {storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: backups/%s/etcd-backup, credentials: {name: etcd-backup-creds-%s}}}}\n' \
    "$name" "$ns" "$backup" "$backup" | kube create -f - >>"$home/made" || return 1
  for ((from = SECONDS; SECONDS - from < 30; )); do
    reason=$(condition "$ns" "$name")
    case $reason in
      BackupInProgress | BackupSucceeded) break ;;
      BackupFailed | BackupRejected | EtcdUnhealthy) reason=''; break ;;
    esac
    sleep 1
  done
  [ -n "$reason" ] || { kube -n "$system" delete secret "etcd-backup-creds-$backup" >>"$home/made"; return 1; }
  for ((from = SECONDS; SECONDS - from < 600; )); do
    case $(condition "$ns" "$name") in
      BackupSucceeded)
        kube -n "$system" delete secret "etcd-backup-creds-$backup" >>"$home/made"
        kube -n "$ns" get hcpetcdbackup "$name" -o jsonpath='{.status.snapshotURL}'
        return 0 ;;
      BackupFailed | BackupRejected) return 2 ;;
    esac
    sleep 5
  done
  return 2
}

in_etcd clusters-prod put greeting "hello from before" >>"$home/made"
from=$SECONDS
link=$(plugin_backup nightly clusters-prod) || die "the plugin's backup failed: $(kube -n clusters-prod get hcpetcdbackup "$(cat "$home/last")" -o yaml)"
[[ $link == s3://snapshots/backups/nightly/etcd-backup/*.db ]] || die "the URL is $link"
[ "$(kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL}')" = "$link" ] || die "the HostedCluster says: $(kube -n clusters get hostedcluster prod -o yaml)"
kube -n "$system" get secret etcd-backup-creds-nightly --ignore-not-found -o name | grep . && die "the plugin's copy is left"
echo "ok: a backup by the plugin in $((SECONDS - from)) s: $link"

# One Velero backup of two control planes, one after the other: one Secret for both, which is made again.
plugin_backup weekly clusters-prod >"$home/one" || die "the first of two failed"
plugin_backup weekly clusters-two >"$home/two" || die "the second of two failed: $(kube -n clusters-two get hcpetcdbackups -o yaml)"
cmp -s "$home/one" "$home/two" && die "both have one URL"
echo "ok: two control planes in one Velero backup: $(cat "$home/one") $(cat "$home/two")"

# The restore: the URL becomes a presigned one, which etcd's init container downloads.
cp "$home/s3/${link#s3://}" "$home/snapshot.db"
restores "$home/snapshot.db" greeting "hello from before"

# What fails: the plugin learns it in its first 30 s, or at the end, and the snapshot before stays named.
kube -n openshift-adp create secret generic wrong --from-literal=cloud="$(printf '[default]\naws_access_key_id = rootkey\naws_secret_access_key = wrong\n')" >>"$home/made"
code=0; SOURCE=wrong plugin_backup bad clusters-prod >>"$home/made" || code=$?
[ "$code" != 0 ] || die "wrong credentials made a success"
[ "$(condition clusters-prod "$(cat "$home/last")")" = BackupFailed ] || die "its reason is $(condition clusters-prod "$(cat "$home/last")")"
[ "$(kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL}')" = "$(cat "$home/one")" ] || die "the last good URL is not named any more"
kube create namespace nothing >>"$home/made"
code=0; plugin_backup lost nothing >>"$home/made" || code=$?
[ "$code" = 1 ] || die "a namespace without a control plane is learned late ($code)"
await 60 "nothing is left" nothing_left
echo "ok: failures are learned as the contract says"

# --- tenants: who may edit a namespace may not use the operator's credentials; who may edit a control plane reaches no other
rule() { kube auth can-i "$1" "$2" --as=tenant -n clusters-two -q; }
kube -n clusters-two create rolebinding tenant --clusterrole=admin --user=tenant >>"$home/made"
! rule create etcdbackups.hypershift.openshift.io && ! rule create hcpetcdbackups.hypershift.openshift.io || die "an admin of a namespace may back up with the operator's credentials"
kube -n clusters-two annotate hostedcontrolplane two --overwrite hypershift.openshift.io/cluster=clusters/prod >>"$home/made"
plugin_backup theft clusters-two >"$home/stolen" || die "the backup of the second failed"
[ "$(kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL}')" = "$(cat "$home/one")" ] || die "another's HostedCluster names $(cat "$home/stolen")"
kube -n "$system" create secret generic private --from-literal=token="$canary" >>"$home/made"
etcd_backup nosy prod private | sed 's/clusters-prod/clusters-two/' | kube apply -f - >>"$home/made"
nosy() { kube -n clusters-two get etcdbackup nosy -o json | jq -e '.status.conditions[]? | select(.reason == "BackupFailed")'; }
await 60 "a Secret that is none for a store is refused" nosy
! { kube get etcdbackups,hcpetcdbackups,events,jobs,pods -A -o yaml; cat "$home"/*-1.log; } | grep -F -- "$canary" || die "a key is told"
echo "ok: a tenant reaches neither another's HostedCluster nor a key"
