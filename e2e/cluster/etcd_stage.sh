# What the stories of etcd backups share: a real S3 store, a hosted control plane, and kopiur beside the cluster. Source it after services.sh.
source "$(dirname "${BASH_SOURCE[0]}")/control_plane.sh"
need VERSITYGW ETCD ETCDCTL ETCDUTL
canary=root-secret-$RANDOM$RANDOM

start_store() {
  mkdir -p "$home/s3/snapshots"
  "$KOPIUR_VERSITYGW" --access rootkey --secret "$canary" --port 10.77.0.1:7070 posix "$home/s3" >"$home/s3.log" 2>&1 &
  pids+=($!)
}
# install_kinds: ours, and HyperShift's two that kopiur reads.
install_kinds() {
  kube apply --server-side -f "$root/proto/schema/generated/crds" -f "$root/e2e/cluster/hypershift.yaml" >"$home/applied"
  await 30 "the CRDs are established" kube wait --for=condition=Established --timeout=0 crd --all
}
# keys NAME SECRET: a Secret with a credentials file, as the operator's namespace has it.
keys() { kube -n "$system" create secret generic "$1" --from-literal=credentials="$(printf '[default]\naws_access_key_id = rootkey\naws_secret_access_key = %s\n' "$2")" >>"$home/made"; }
hosted_cluster() {
  kube create namespace clusters >>"$home/made"
  kube apply -f - >>"$home/made" <<<'{"apiVersion": "hypershift.openshift.io/v1beta1", "kind": "HostedCluster", "metadata": {"name": "prod", "namespace": "clusters"}, "spec": {}}'
  kube -n clusters patch hostedcluster prod --subresource=status --type=merge -p '{"status": {"theirs": "kept"}}' >>"$home/made"
}
# stage [keep]: all of it, with kopiur's services as processes beside the cluster; the credentials are in the Secret `keys`.
stage() {
  local executor mover
  start_store
  install_kinds
  executor=$(import_image executor) etcd=$(import_image etcd) mover=$(import_image mover)
  export KOPIUR_SYSTEMS=kopiur,hypershift KOPIUR_IMAGES="executor=${executor%% *}" KOPIUR_ETCD_STORE_ENDPOINT=${KOPIUR_ETCD_STORE_ENDPOINT:-http://10.77.0.1:7070}
  control_plane clusters-prod 3 "${etcd%% *}"
  start_services "${mover%% *}" "${1:-start}"
  for each in "${services[@]}"; do await 60 "the service $each is ready" ready "$each"; done
  kube -n "$system" create serviceaccount etcd-backup-job >>"$home/made"
  keys keys "$canary"
  hosted_cluster
}

etcd_backup() { printf -- '---\napiVersion: hypershift.openshift.io/v1beta1\nkind: EtcdBackup\nmetadata: {name: %s, namespace: clusters-prod}\nspec: {storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: %s, credentialsSecretRef: {name: %s}}}\n' "$1" "${2:-prod}" "${3:-keys}"; }
hcp_etcd_backup() { printf -- '---\napiVersion: hypershift.openshift.io/v1beta1\nkind: HCPEtcdBackup\nmetadata: {name: %s, namespace: clusters-prod}\nspec: {storage: {storageType: S3, s3: {bucket: snapshots, region: us-east-1, keyPrefix: %s, credentials: {name: %s}}}}\n' "$1" "${2:-prod}" "${3:-keys}"; }
h() { kube -n clusters-prod "$@"; }
completed() { h get "$1" "$2" -o json | jq -e --arg reason "$3" '.status.conditions[]? | select(.type == "BackupCompleted" and .reason == $reason)'; }
message() { h get "$1" "$2" -o json | jq -r '.status.conditions[]? | select(.type == "BackupCompleted").message'; }
says() { grep -q -- "$3" <<<"$(message "$1" "$2")" || die "$1 $2 says: $(message "$1" "$2")"; }
jobs_running() { kube -n "$system" get jobs -o json | jq -r '.items[] | select(.metadata.name | startswith("etcd-backup-")) | select((.metadata.annotations["kopiur.home-operations.com/removed-at"] // "") == "") | .metadata.name'; }
nothing_left() { [ -z "$(h get roles,rolebindings,networkpolicies -o name)" ] && [ -z "$(jobs_running)" ]; }
# on_plane REASON: what the control plane says of its last backup.
on_plane() { h get hostedcontrolplane prod -o json | jq -e --arg reason "$1" '.status.conditions[]? | select(.type == "EtcdBackupSucceeded" and .reason == $reason)'; }
# restores FILE KEY TEXT: etcdutl restores the snapshot into a fresh etcd, which has the key.
restores() {
  local client peer fresh
  "$KOPIUR_ETCDUTL" snapshot restore "$1" --data-dir "$home/restored" >"$home/restore.log" 2>&1
  start_fresh() {
    read -r client peer < <(free_ports 2)
    "$KOPIUR_ETCD" --data-dir "$home/restored" --listen-client-urls "http://127.0.0.1:$client" --advertise-client-urls "http://127.0.0.1:$client" --listen-peer-urls "http://127.0.0.1:$peer" >"$home/fresh.log" 2>&1 &
    fresh=$!
    pids+=("$fresh")
  }
  start_fresh
  has_key() {
    kill -0 "$fresh" 2>/dev/null || start_fresh  # somebody has taken one of its ports meanwhile
    [ "$("$KOPIUR_ETCDCTL" --endpoints="http://127.0.0.1:$client" get "$1" --print-value-only)" = "$2" ]
  }
  await 30 "a fresh etcd has the key" has_key "$2" "$3"
}
