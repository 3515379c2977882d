# A Kubernetes API for a test: the real etcd and kube-apiserver on loopback, in a temporary folder that is removed at the end. Source it,
# then call start_api. Environment: KOPIUR_ETCD, KOPIUR_KUBE_APISERVER, KOPIUR_KUBECTL (./dev setup builds them).
home=${KOPIUR_NODE_HOME:-$(mktemp -d "${TMPDIR:-/tmp}/kopiur-cluster-XXXXXX")}  # set by with_node.sh, which removes it
source "$(dirname "${BASH_SOURCE[0]}")/kube.sh"
pids=() api_pid='' at_end=:

the_end() {
  local code=$?
  [ -z "$api_pid" ] || pids+=("$api_pid")
  for each in ${pids[@]+"${pids[@]}"}; do kill -KILL "$each" 2>/dev/null || true; done  # nothing of it is kept, and a clean shutdown takes a minute
  for each in ${pids[@]+"${pids[@]}"}; do wait "$each" 2>/dev/null || true; done
  "$at_end"
  if [ "$code" = 0 ]; then rm -rf "$home"; else echo "logs: $home (*.log)"; fi
  exit "$code"
}
trap the_end EXIT

certificates() (
  cd "$home"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=kopiur-test-ca 2>/dev/null
  certificate server /CN=kube-apiserver 'subjectAltName=IP:127.0.0.1,DNS:localhost,IP:10.77.0.1,IP:10.96.0.1,DNS:kubernetes.default.svc'
  certificate admin /O=system:masters/CN=admin
  certificate nobody /CN=nobody
  certificate writer /CN=writer  # may do everything, but is throttled like every user except administrators
  openssl genrsa -out sa.key 2048 2>/dev/null && openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
)

# administrator: writes the kubeconfig from which the others are copied.
administrator() {
  cat >"$home/admin.kubeconfig" <<YAML
apiVersion: v1
kind: Config
current-context: test
contexts: [{name: test, context: {cluster: test, user: admin}}]
clusters: [{name: test, cluster: {server: "$url", certificate-authority: ca.crt}}]
users: [{name: admin, user: {client-certificate: admin.crt, client-key: admin.key}}]
YAML
}

# start_api: returns when it is ready; then `kube ARGS...` is kubectl as its administrator.
start_api() {
  need ETCD KUBE_APISERVER KUBECTL
  local etcd peer api
  read -r etcd peer api < <(free_ports 3)
  certificates
  "$KOPIUR_ETCD" --data-dir "$home/etcd" --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls "http://127.0.0.1:$peer" --unsafe-no-fsync >"$home/etcd.log" 2>&1 &
  pids+=($!)
  echo $! >"$home/etcd.pid"
  etcd_url=http://127.0.0.1:$etcd api_port=${api_port:-$api} url=https://127.0.0.1:${api_port:-$api}
  administrator
  kubeconfig nobody writer
  run_api
  await 60 "the API server is ready" kube get --raw /readyz
  kube create clusterrolebinding writer --clusterrole=cluster-admin --user=writer >"$home/bound"
}
# For an API without a controller manager: no default service account, and no API Service, which nothing would use.
api_flags=(--bind-address=127.0.0.1 --allow-privileged --endpoint-reconciler-type=none --authorization-mode=RBAC --disable-admission-plugins=ServiceAccount)
# run_api: starts it (again) on the running etcd, with the additional flags in KOPIUR_API_FLAGS, and with the AdmissionConfiguration in
# $home/admission.yaml if a script has written one; its pid is in $home/apiserver.pid.
run_api() {
  local admission=()
  [ ! -f "$home/admission.yaml" ] || admission=(--admission-control-config-file="$home/admission.yaml")
  "$KOPIUR_KUBE_APISERVER" --etcd-servers="$etcd_url" --secure-port="$api_port" "${api_flags[@]}" \
    --tls-cert-file="$home/server.crt" --tls-private-key-file="$home/server.key" --client-ca-file="$home/ca.crt" \
    --service-account-key-file="$home/sa.pub" --service-account-signing-key-file="$home/sa.key" --service-account-issuer=https://kubernetes.default.svc \
    --service-cluster-ip-range=10.96.0.0/24 \
    ${KOPIUR_API_FLAGS:-} ${admission[@]+"${admission[@]}"} >>"$home/apiserver.log" 2>&1 &
  api_pid=$!
  echo "$api_pid" >"$home/apiserver.pid"
}
# apply_crds: applies all our kinds and waits until they can be used.
apply_crds() {
  local crds=$root/proto/schema/generated/crds
  kube apply --server-side -f "$crds" >"$home/applied"
  [ "$(grep -c serverside-applied "$home/applied")" = "$(ls "$crds" | wc -l)" ] || die "not every CRD was taken: $(cat "$home/applied")"
  await 30 "$(ls "$crds" | wc -l) CRDs are established" kube wait --for=condition=Established --timeout=0 crd --all
}
# beside_cluster COMMAND...: runs the command and returns its exit code. A killed API server is started again meanwhile.
beside_cluster() {
  KOPIUR_TEST_API=$home env --default-signal=INT,QUIT "$@" <&0 &  # with a keyboard, for interactive use
  pids+=($!)
  local command=$!
  while kill -0 "$command" 2>/dev/null; do
    kill -0 "$api_pid" 2>/dev/null || { wait "$api_pid" 2>/dev/null || true; run_api; }
    sleep 0.2
  done 2>>"$home/ends"  # bash reports each killed process at length
  wait "$command"
}
