#!/usr/bin/env bash
# with_node.sh --plain etcd_backup.sh: the etcd of a hosted control plane, three members with TLS, is backed up into a real S3 store by both kinds, and the
# snapshot is restored into a fresh etcd. One backup at a time; what was granted exists only meanwhile; a deletion in the middle leaves nothing.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/control_plane.sh"
need VERSITYGW ETCD ETCDCTL ETCDUTL
canary=root-secret-$RANDOM$RANDOM
mkdir -p "$home/s3/snapshots"
"$KOPIUR_VERSITYGW" --access rootkey --secret "$canary" --port 10.77.0.1:7070 posix "$home/s3" >"$home/s3.log" 2>&1 &
pids+=($!)

kube apply --server-side -f "$root/proto/schema/generated/crds" -f "$root/e2e/cluster/hypershift.yaml" >"$home/applied"
await 30 "the CRDs are established" kube wait --for=condition=Established --timeout=0 crd --all
executor=$(import_image executor) etcd=$(import_image etcd) mover=$(import_image mover)
export KOPIUR_SYSTEMS=kopiur,hypershift KOPIUR_IMAGES="executor=${executor%% *}" KOPIUR_ETCD_STORE_ENDPOINT=http://10.77.0.1:7070
control_plane clusters-prod 3 "${etcd%% *}"
start_services "${mover%% *}"
await 60 "the services are ready" ready services
kube -n "$system" create serviceaccount etcd-backup-job >>"$home/made"
kube -n "$system" create secret generic keys --from-literal=credentials="$(printf '[default]\naws_access_key_id = rootkey\naws_secret_access_key = %s\n' "$canary")" >>"$home/made"
kube create namespace clusters >>"$home/made"
kube apply -f - >>"$home/made" <<<'{"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster", "metadata": {"name": "prod", "namespace": "clusters"}, "spec": {}}'
kube -n clusters patch hostedcluster prod --subresource=status --type=merge -p '{"status": {"theirs": "kept"}}' >>"$home/made"

etcd_backup() { printf 'apiVersion: hypershift.openshift.io/v1beta1\nkind: EtcdBackup\nmetadata: {name: %s, namespace: clusters-prod}\nspec: {storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: %s, credentialsSecretRef: {name: %s}}}\n' "$1" "${2:-prod}" "${3:-keys}"; }
hcp_etcd_backup() { printf 'apiVersion: hypershift.openshift.io/v1beta1\nkind: HCPEtcdBackup\nmetadata: {name: %s, namespace: clusters-prod}\nspec: {storage: {storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: %s, credentials: {name: %s}}}}\n' "$1" "${2:-prod}" "${3:-keys}"; }
h() { kube -n clusters-prod "$@"; }
completed() { h get "$1" "$2" -o json | jq -e --arg reason "$3" '.status.conditions[]? | select(.type == "BackupCompleted" and .reason == $reason)'; }
message() { h get "$1" "$2" -o json | jq -r '.status.conditions[]? | select(.type == "BackupCompleted").message'; }
jobs_running() { kube -n "$system" get jobs -o json | jq -r '.items[] | select(.metadata.name | startswith("etcd-backup-")) | select((.metadata.annotations["kopiur.home-operations.com/removed-at"] // "") == "") | .metadata.name'; }
nothing_left() { [ -z "$(h get roles,rolebindings,networkpolicies -o name)" ] && [ -z "$(jobs_running)" ]; }

# --- one backup, and what it is worth
in_etcd clusters-prod put greeting "hello from before" >>"$home/made"
etcd_backup first | kube apply -f - >>"$home/made"
await 30 "a condition is shown within 30 s" completed etcdbackup first BackupInProgress
await 120 "the backup is completed" completed etcdbackup first BackupSucceeded
nothing_left || die "something is left: $(h get roles,rolebindings,networkpolicies -o name; jobs_running)"
link=$(h get etcdbackup first -o jsonpath='{.status.snapshotURL}')
[[ $link == s3://snapshots/prod/*.db ]] || die "the URL is $link"
[ "$(kube -n clusters get hostedcluster prod -o jsonpath='{.status.lastSuccessfulEtcdBackupURL} {.status.theirs}')" = "$link kept" ] || die "the HostedCluster says: $(kube -n clusters get hostedcluster prod -o yaml)"
h get etcdbackups | tee "$home/table" | grep -q "True .*$link" || die "its columns: $(cat "$home/table")"
cp "$home/s3/${link#s3://}" "$home/snapshot.db"
"$KOPIUR_ETCDUTL" snapshot status "$home/snapshot.db" -w json | jq -e '.totalKey > 0' >>"$home/made"
"$KOPIUR_ETCDUTL" snapshot restore "$home/snapshot.db" --data-dir "$home/restored" >"$home/restore.log" 2>&1
read -r client peer < <(free_ports 2)
"$KOPIUR_ETCD" --data-dir "$home/restored" --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" --listen-peer-urls "http://127.0.0.1:$peer" >"$home/fresh.log" 2>&1 &
pids+=($!)
restored() { [ "$("$KOPIUR_ETCDCTL" --endpoints="http://127.0.0.1:$client" get greeting --print-value-only)" = "hello from before" ]; }
await 30 "a fresh etcd has the key" restored
echo "ok: a snapshot in S3, restored into a fresh etcd: the key is there"

# --- two at once, of both kinds: one wins, the other one says why
{ hcp_etcd_backup one; echo ---; etcd_backup two; } | kube apply -f - >>"$home/made"
either() { completed hcpetcdbackup one BackupRejected || completed etcdbackup two BackupAlreadyInProgress; }
await 60 "one of both is refused" either
other() { completed hcpetcdbackup one BackupSucceeded || completed etcdbackup two BackupSucceeded; }
await 120 "the other one is completed" other
echo "ok: one backup at a time ($({ message hcpetcdbackup one; message etcdbackup two; } | grep Another))"

# --- what is missing or wrong is said, and nothing is opened for it
etcd_backup nokeys prod absent | kube apply -f - >>"$home/made"
await 60 "missing credentials are told" completed etcdbackup nokeys BackupFailed
message etcdbackup nokeys | grep -q "absent" || die "it says: $(message etcdbackup nokeys)"
kube -n "$system" create secret generic expired --from-literal=credentials="$(printf '[default]\naws_access_key_id = rootkey\naws_secret_access_key = wrong\n')" >>"$home/made"
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
