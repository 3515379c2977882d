# What the stories of OpenBao share: a real S3 store that pods find by a Service, a cluster of OpenBao pods, and kopiur beside the cluster. Source it after
# services.sh.
source "$(dirname "${BASH_SOURCE[0]}")/bao_pods.sh"
need VERSITYGW OPENBAO
canary=store-secret-$RANDOM$RANDOM ns=vault-prod

start_store() {
  mkdir -p "$home/s3/bao"
  "$KOPIUR_VERSITYGW" --access rootkey --secret "$canary" --port 10.77.0.1:7070 posix "$home/s3" >"$home/s3.log" 2>&1 &
  pids+=($!)
  kube create namespace stores >>"$home/made"
  kube apply -f - >>"$home/made" <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: store, namespace: stores}
spec: {clusterIP: None, ports: [{name: http, port: 7070}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: store, namespace: stores, labels: {kubernetes.io/service-name: store}}
addressType: IPv4
ports: [{name: http, port: 7070}]
endpoints: [{addresses: [10.77.0.1]}]
YAML
}
target='{provider: s3, endpoint: "http://store.stores.svc:7070", bucket: bao, usePathStyle: true, credentialsSecretRef: {name: bao-store}}'
# bao_cluster_object [NAMESPACE] [NAME] [VOTERS]: the OpenBaoCluster of the pods, initialized.
bao_cluster_object() {
  local ns=${1:-$ns} name=${2:-vault}
  kube apply -f - >>"$home/made" <<YAML
apiVersion: openbao.org/v1alpha1
kind: OpenBaoCluster
metadata: {name: $name, namespace: $ns}
spec: {replicas: ${3:-1}, backup: {target: $target, tokenSecretRef: {name: bao-token}}}
YAML
  kube -n "$ns" patch openbaocluster "$name" --subresource=status --type=merge -p '{"status": {"initialized": true, "theirs": "kept"}}' >>"$home/made"
  kube -n "$ns" create secret generic bao-store --from-literal=accessKeyId=rootkey --from-literal=secretAccessKey="$canary" >>"$home/made"
  kube -n "$ns" create secret generic bao-token --from-file=token="$home/$name.$ns.root" >>"$home/made"
}
# stage [keep] [VOTERS]: all of it.
stage() {
  local executor mover voters=${2:-1}
  start_store
  apply_kinds
  executor=$(import_image executor) bao=$(import_image openbao) mover=$(import_image mover)
  export KOPIUR_SYSTEMS=kopiur,openbao KOPIUR_IMAGES="executor=${executor%% *}"
  bao_pods "$ns" "$voters" "${bao%% *}"
  in_bao "$ns" vault secrets enable -path=kv kv >>"$home/made"
  start_services "${mover%% *}" "${1:-start}"
  for each in "${services[@]}"; do await 60 "the service $each is ready" ready "$each"; done
  bao_cluster_object "$ns" vault "$voters"
  keep_unsealed "$ns" vault "$voters" &
  pids+=($!)
}
apply_kinds() {
  kube apply --server-side -f "$root/proto/schema/generated/crds" >"$home/applied"
  await 30 "the CRDs are established" kube wait --for=condition=Established --timeout=0 crd --all
}

b() { kube -n "$ns" "$@"; }
# bao_restore NAME KEY [SPEC]: an OpenBaoRestore.
bao_restore() {
  printf -- '---\napiVersion: openbao.org/v1alpha1\nkind: OpenBaoRestore\nmetadata: {name: %s, namespace: %s}\nspec: {cluster: vault, source: {key: "%s", target: %s%s}, tokenSecretRef: {name: %s}%s}\n' \
    "$1" "$ns" "$2" "$target" "${4:-}" "${5:-bao-token}" "${3:+, $3}"
}
phase() { b get openbaorestore "$1" -o jsonpath='{.status.phase}'; }
# in_phase NAME PHASE: ends the story at once when it is over in another one.
in_phase() {
  local is; is=$(phase "$1")
  [ "$is" != "$2" ] || return 0
  [[ ! $is =~ ^(Completed|Failed|Unknown)$ ]] || { echo "OpenBaoRestore $1 is $is: $(message "$1")" >&9; exit 1; }
  return 1
}
exec 9>&2
message() { b get openbaorestore "$1" -o jsonpath='{.status.message}'; }
says() { grep -q -- "$2" <<<"$(message "$1")" || die "OpenBaoRestore $1 says: $(b get openbaorestore "$1" -o yaml)"; }
lock() { b get openbaocluster vault -o jsonpath='{.status.operationLock.holder}'; }
unlocked() { [ -z "$(lock)" ]; }
secret_is() { [ "$(in_bao "$ns" vault kv get -field=value kv/it)" = "$1" ]; }
write_secret() { in_bao "$ns" vault kv put kv/it value="$1" >>"$home/made"; }
# back_up VALUE: takes a backup by the trigger, and prints its key.
back_up() {
  b annotate openbaocluster vault --overwrite openbao.org/trigger-backup="$1" >>"$home/made"
  handled() { b get openbaocluster vault -o json | jq -e --arg value "$1" '.status.backup | .lastHandledManualTrigger == $value and .lastFailureReason == null'; }
  await 120 "the backup $1 is taken" handled "$1" >&2
  b get openbaocluster vault -o jsonpath='{.status.backup.lastBackupName}'
}
nothing_left() { [ -z "$(b get roles,rolebindings -o name)" ] && unlocked; }
