# A Kubernetes API for a test: the real etcd and kube-apiserver on loopback, in a folder of their own, gone with the test. Source it, then start_api.
# In the environment: KOPIUR_ETCD, KOPIUR_KUBE_APISERVER, KOPIUR_KUBECTL (./dev setup builds them).
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/e2e/shell.sh"
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-cluster-XXXXXX")
pids=() api_pid=''

the_end() {
  local code=$?
  [ -z "$api_pid" ] || pids+=("$api_pid")
  for each in ${pids[@]+"${pids[@]}"}; do kill -KILL "$each" 2>/dev/null || true; done  # nothing of it is kept, and its shutdown takes a minute
  for each in ${pids[@]+"${pids[@]}"}; do wait "$each" 2>/dev/null || true; done
  if [ "$code" = 0 ]; then rm -rf "$home"; else echo "logs: $home (etcd.log, apiserver.log)"; fi
  exit "$code"
}
trap the_end EXIT
trap 'echo "FAILED at $(basename "$0"):$(story_line)"' ERR
die() { trap - ERR; echo "FAILED at $(basename "$0"):$(story_line): $*"; exit 1; }

free_ports() { python3 -c 'import socket,sys
held=[socket.socket() for _ in range(int(sys.argv[1]))]
[each.bind(("127.0.0.1",0)) for each in held]
print(*[each.getsockname()[1] for each in held])' "$1"; }

# certificate NAME SUBJECT [EXTENSIONS]: a key and a certificate by our own authority.
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out "$1.crt" -extfile <(printf '%s\n' "${3:-extendedKeyUsage=clientAuth}") 2>/dev/null
}
certificates() (
  cd "$home"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=kopiur-test-ca 2>/dev/null
  certificate server /CN=kube-apiserver 'subjectAltName=IP:127.0.0.1,DNS:localhost'
  certificate admin /O=system:masters/CN=admin
  certificate nobody /CN=nobody
  certificate writer /CN=writer  # may do everything, and is throttled as everybody but the administrators is
  openssl genrsa -out sa.key 2048 2>/dev/null && openssl rsa -in sa.key -pubout -out sa.pub 2>/dev/null
)

# start_api: until it is ready; then `kube ARGS...` is kubectl as its administrator.
start_api() {
  for each in "${KOPIUR_ETCD:-}" "${KOPIUR_KUBE_APISERVER:-}" "${KOPIUR_KUBECTL:-}"; do [ -x "$each" ] || die "etcd, kube-apiserver and kubectl are not there; ./dev setup builds them"; done
  local etcd peer api
  read -r etcd peer api < <(free_ports 3)
  certificates
  "$KOPIUR_ETCD" --data-dir "$home/etcd" --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls "http://127.0.0.1:$peer" --unsafe-no-fsync >"$home/etcd.log" 2>&1 &
  pids+=($!)
  etcd_url=http://127.0.0.1:$etcd api_port=$api url=https://127.0.0.1:$api
  run_api
  await 60 "the API server is ready" kube get --raw /readyz
  kube create clusterrolebinding writer --clusterrole=cluster-admin --user=writer >"$home/bound"
}
# run_api: (again) on the etcd that runs, with the flags in KOPIUR_API_FLAGS besides; its pid in $home/apiserver.pid. No controller manager runs
# here: no default service account, and nobody who would need the API's own Service.
run_api() {
  "$KOPIUR_KUBE_APISERVER" --etcd-servers="$etcd_url" --bind-address=127.0.0.1 --secure-port="$api_port" --endpoint-reconciler-type=none \
    --tls-cert-file="$home/server.crt" --tls-private-key-file="$home/server.key" --client-ca-file="$home/ca.crt" \
    --service-account-key-file="$home/sa.pub" --service-account-signing-key-file="$home/sa.key" --service-account-issuer=https://kubernetes.default.svc \
    --service-cluster-ip-range=10.96.0.0/24 --authorization-mode=RBAC --disable-admission-plugins=ServiceAccount \
    ${KOPIUR_API_FLAGS:-} >>"$home/apiserver.log" 2>&1 &
  api_pid=$!
  echo "$api_pid" >"$home/apiserver.pid"
}
kube() { "$KOPIUR_KUBECTL" --kubeconfig=/dev/null --cache-dir="$home/cache" --server="$url" --certificate-authority="$home/ca.crt" --client-certificate="$home/admin.crt" --client-key="$home/admin.key" "$@"; }
# apply_crds: of all our kinds, until they can be used.
apply_crds() {
  local crds=$root/proto/schema/generated/crds
  kube apply --server-side -f "$crds" >"$home/applied"
  [ "$(grep -c serverside-applied "$home/applied")" = "$(ls "$crds" | wc -l)" ] || die "not every CRD was taken: $(cat "$home/applied")"
  await 30 "$(ls "$crds" | wc -l) CRDs are established" kube wait --for=condition=Established --timeout=0 crd --all
}
