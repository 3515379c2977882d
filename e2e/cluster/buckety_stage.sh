# For the stories of the program buckety: a real API server that has its two kinds and none of Kopiur's, the rights of the text, a store, and functions to
# start replicas and to look at objects. Source it after lib.sh, then call start_stage.
program=$(realpath "${KOPIUR_BIN:-$root/build/release/bin}")/buckety
need NATS_SERVER VERSITYGW
system=buckety

# start_stage: the buckets are folders in $home/store; $s3 is the port of the store.
start_stage() {
  start_api
  kube apply --server-side -f "$root/proto/schema/generated/crds/bucketies.yaml" -f "$root/proto/schema/generated/crds/bucketyaccesses.yaml" >"$home/applied"
  await 30 "the two kinds are established" kube wait --for=condition=Established --timeout=0 crd --all
  (cd "$home" && certificate controller /CN=controller)
  kubeconfig controller
  sed -i "s/context: {/context: {namespace: $system, /" "$home/controller.kubeconfig"
  kube create namespace "$system" >>"$home/applied"
  kube apply -f - >>"$home/applied" <<YAML
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: buckety-controller}
rules:
- {apiGroups: [buckety.yolean.se], resources: [bucketies, bucketyaccesses], verbs: [get, list, watch, create, update, patch, delete]}
- {apiGroups: [buckety.yolean.se], resources: [bucketies/status, bucketyaccesses/status], verbs: [get, update, patch]}
- {apiGroups: [buckety.yolean.se], resources: [bucketies/finalizers, bucketyaccesses/finalizers], verbs: [update]}
- {apiGroups: [""], resources: [secrets], verbs: [get, list, watch, create, update, patch, delete]}
- {apiGroups: [""], resources: [events], verbs: [create, patch]}
- {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch, create, update, patch, delete]}
YAML
  kube create clusterrolebinding buckety-controller --clusterrole=buckety-controller --user=controller >>"$home/applied"
  kube create namespace tenant >>"$home/applied"
  read -r s3 < <(free_ports 1)
  mkdir -p "$home/store" "$home/versions" "$home/config"
  "$KOPIUR_VERSITYGW" --access root --secret hunter22 --port "127.0.0.1:$s3" posix --versioning-dir "$home/versions" "$home/store" >"$home/versitygw.log" 2>&1 & pids+=($!)
  cat >"$home/config/buckety-controller.yaml" <<YAML
backends:
- name: s3
  driver: s3
  config: {endpoint: "http://127.0.0.1:$s3", region: us-east-1, forcePathStyle: true, implementation: versitygw, accessKeyID: root, secretAccessKey: "\${ROOT_SECRET}"}
YAML
}

# start N PORT [FLAGS...]: a replica of $program, its webhook on that port; its pid in $home/N.pid.
start() {
  ROOT_SECRET=hunter22 KUBECONFIG="$home/controller.kubeconfig" "$program" -c "$home/config" --periodic-recheck=5s --metrics-addr=127.0.0.1:0 \
    -health-addr=127.0.0.1:0 --cert-dir "$home/tls" --webhook-port="$2" --data-dir "$home/data-$1" "${@:3}" >"$home/$1.log" 2>&1 &
  pids+=($!)
  echo $! >"$home/$1.pid"
}
port_of() { jq -rR "fromjson? | select(.event == \"$2.listening\").port" "$home/$1.log" | tail -1; }
page() { curl -s "http://127.0.0.1:$(port_of "$1" "${3:-health}")/$2"; }
ready() { [ "$(page "$1" readyz)" = ready ]; }
bus_of() { jq -rR 'fromjson? | select(.event == "bus.started").pid' "$home/$1.log" | tail -1; }
ended() { ! grep -q "^State:.[^Z]" "/proc/$1/status" 2>/dev/null; }
leads() { grep -q '"leader.active"' "$home/$1.log"; }
holder() { kube -n "$system" get lease buckety-controller-leader -o jsonpath='{.spec.holderIdentity}'; }

buckety() { kube apply -f - <<<"{apiVersion: buckety.yolean.se/v1alpha1, kind: Buckety, metadata: {name: $1, namespace: tenant}, spec: {backend: s3, $2}}"; }
of() { kube -n tenant get buckety "$1" -o jsonpath="{.status.$2}"; }
# condition NAME TYPE [FIELD]: what the Buckety states, `True EnsuredOnBackend`, or one field of it; condition_is NAME TYPE STATED.
condition() { kube -n tenant get buckety "$1" -o json | jq -r --arg type "$2" --arg field "${3:-}" '.status.conditions[]? | select(.type == $type) | if $field == "" then "\(.status) \(.reason)" else .[$field] end'; }
condition_is() { [ "$(condition "$1" "$2")" = "$3" ]; }
reason_is() { [ "$(condition "$1" Ready reason)" = "$2" ]; }
gone() { [ -z "$(kube -n tenant get buckety "$1" --ignore-not-found -o name)" ]; }
