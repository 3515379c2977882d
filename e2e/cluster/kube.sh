# Functions for scripts that use a running cluster. $cluster is the cluster's folder: KOPIUR_TEST_API if with_api.sh or with_node.sh runs
# the script. A script that sets `namespace=NAME` first works in that namespace, in parallel with others (with_shared_node.sh), and gets its
# own folder as $home.
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/e2e/shell.sh"
cluster=${home:-$KOPIUR_TEST_API}
home=$cluster${namespace:+/$namespace} namespace=${namespace:-default}
mkdir -p "$home"
trap 'echo "FAILED at $(basename "$0"):$(story_line)"' ERR
die() { trap - ERR; echo "FAILED at $(basename "$0"):$(story_line): $*"; exit 1; }

# need NAME...: fails unless the programs at KOPIUR_NAME exist.
need() {
  local each at
  for each in "$@"; do at=KOPIUR_$each; [ -x "${!at:-}" ] || die "there is no program at $at (${!at:-it is not set}); ./dev setup builds it"; done
}
# kube ARGS...: kubectl as the administrator.
kube() { "$KOPIUR_KUBECTL" --kubeconfig="$cluster/admin.kubeconfig" --cache-dir="$cluster/cache" "$@"; }
# certificate NAME SUBJECT [EXTENSIONS]: a key and a certificate signed by our own authority.
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out "$1.crt" -extfile <(printf '%s\n' "${3:-extendedKeyUsage=clientAuth}") 2>/dev/null
}
# kubeconfig USER...: copies the administrator's kubeconfig for users whose certificates are in the same folder.
kubeconfig() {
  local user
  for user in "$@"; do sed "s/admin/$user/g" "$home/admin.kubeconfig" >"$home/$user.kubeconfig"; done
}
# images_there VERB ARGS...: ctr images on the node's containerd.
images_there() { "${KOPIUR_CONTAINERD%/*}/ctr" -a "$cluster/containerd.sock" -n k8s.io images "$@" >>"$cluster/import.log"; }
# import_image NAME: builds our image of that name (image/make.sh) and imports it on the node, once.
import_image() (
  mkdir -p "$cluster/images"
  exec 6>"$cluster/images/$1.lock" && flock 6
  [ -s "$cluster/images/$1.made" ] || {
    "$root/image/make.sh" "$1" "$cluster/images" >"$cluster/images/$1.making"
    images_there import "$cluster/images/$1.tar"
    mv "$cluster/images/$1.making" "$cluster/images/$1.made"
  }
  cat "$cluster/images/$1.made"
)
