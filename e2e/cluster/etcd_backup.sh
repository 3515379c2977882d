#!/usr/bin/env bash
# with_node.sh --plain etcd_backup.sh: the etcd of a hosted control plane, three members with TLS, is backed up into a real S3 store by both kinds, and the
# snapshot is restored into a fresh etcd. One backup at a time; what was granted exists only meanwhile; a deletion in the middle leaves nothing.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/etcd_stage.sh"
stage

# --- one backup, and what it is worth
in_etcd clusters-prod put greeting "hello from before" >>"$home/made"
etcd_backup first | kube apply -f - >>"$home/made"
await 30 "a condition is shown within 30 s" completed etcdbackup first BackupInProgress
await 120 "the backup is completed" completed etcdbackup first BackupSucceeded
nothing_left || die "something is left: $(h get roles,rolebindings,networkpolicies -o name; jobs_running)"
link=$(h get etcdbackup first -o jsonpath='{.status.snapshotURL}')
[[ $link == s3://snapshots/prod/*.db ]] || die "the URL is $link"
on_plane BackupSucceeded >>"$home/made" || die "the control plane says: $(h get hostedcontrolplane prod -o yaml)"
h get events -o json | jq -e '.items[] | select(.involvedObject.name == "first" and .reason == "BackupSucceeded")' >>"$home/made" || die "there is no Event"
[ "$(kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL} {.status.theirs}')" = "$link kept" ] || die "the HostedCluster says: $(kube -n clusters get hostedcluster prod -o yaml)"
h get etcdbackups | tee "$home/table" | grep -q "True .*$link" || die "its columns: $(cat "$home/table")"
AWS_ACCESS_KEY_ID=rootkey AWS_SECRET_ACCESS_KEY=$canary "$bin/kopiur" etcd verify "$link" --endpoint http://10.77.0.1:7070 --etcdutl "$KOPIUR_ETCDUTL" --save "$home/snapshot.db" -o json |
  jq -e '.checksum == "right" and .keys > 0' >>"$home/made" || die "kopiur etcd verify does not find it good"
restores "$home/snapshot.db" greeting "hello from before"
echo "ok: a snapshot in S3, restored into a fresh etcd: the key is there"

# --- two at once, of both kinds: one wins, the other one says why
{ hcp_etcd_backup one; etcd_backup two; } | kube apply -f - >>"$home/made"
either() { completed hcpetcdbackup one BackupRejected || completed etcdbackup two BackupAlreadyInProgress; }
await 60 "one of both is refused" either
other() { completed hcpetcdbackup one BackupSucceeded || completed etcdbackup two BackupSucceeded; }
await 120 "the other one is completed" other
echo "ok: one backup at a time ($({ message hcpetcdbackup one; message etcdbackup two; } | grep Another))"

# --- what is missing or wrong is said, and nothing is opened for it
etcd_backup nokeys prod absent | kube apply -f - >>"$home/made"
await 60 "missing credentials are told" completed etcdbackup nokeys BackupFailed
message etcdbackup nokeys | grep -q "absent" || die "it says: $(message etcdbackup nokeys)"
keys expired wrong
etcd_backup expired prod expired | kube apply -f - >>"$home/made"
await 120 "wrong credentials are told" completed etcdbackup expired BackupFailed
message etcdbackup expired | grep -qi "denied\|signature\|credentials" || die "it says: $(message etcdbackup expired)"
await 60 "nothing is left of them" nothing_left
echo "ok: $(message etcdbackup expired)"

# --- deleted in the middle
etcd_backup gone | kube apply -f - >>"$home/made"
opened() { [ -n "$(h get networkpolicies -o name)" ]; }
await 60 "its way to etcd is open" opened
h delete etcdbackup gone >>"$home/made"
await 90 "nothing is left of a deleted one" nothing_left
echo "ok: deleted in the middle, nothing is left"

! { kube get etcdbackups,hcpetcdbackups,events,jobs,pods -A -o yaml; cat "$home"/*-1.log; } | grep -F -- "$canary" || die "the key of the store is told"
echo "ok: the key of the store is in its Secret only"
