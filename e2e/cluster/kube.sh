# What a script has beside a cluster that runs: the cluster's folder is $cluster, that of KOPIUR_TEST_API where with_api.sh or with_node.sh runs the
# script. A script that has said `namespace=NAME` works in that one, beside others (with_shared_node.sh), and $home is a folder of its own.
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/e2e/shell.sh"
cluster=${home:-$KOPIUR_TEST_API}
home=$cluster${namespace:+/$namespace} namespace=${namespace:-default}
mkdir -p "$home"
trap 'echo "FAILED at $(basename "$0"):$(story_line)"' ERR
die() { trap - ERR; echo "FAILED at $(basename "$0"):$(story_line): $*"; exit 1; }

# need NAME...: the programs at KOPIUR_NAME.
need() {
  local each at
  for each in "$@"; do at=KOPIUR_$each; [ -x "${!at:-}" ] || die "there is no program at $at (${!at:-it is not set}); ./dev setup builds it"; done
}
# kube ARGS...: kubectl as the administrator.
kube() { "$KOPIUR_KUBECTL" --kubeconfig="$cluster/admin.kubeconfig" --cache-dir="$cluster/cache" "$@"; }
# certificate NAME SUBJECT [EXTENSIONS]: a key and a certificate by our own authority.
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1.key" -out "$1.csr" -subj "$2" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out "$1.crt" -extfile <(printf '%s\n' "${3:-extendedKeyUsage=clientAuth}") 2>/dev/null
}
# kubeconfig USER...: the administrator's, for each who has a certificate of that name beside it.
kubeconfig() {
  local user
  for user in "$@"; do sed "s/admin/$user/g" "$home/admin.kubeconfig" >"$home/$user.kubeconfig"; done
}
# images_there VERB ARGS...: of containerd on the node.
images_there() { "${KOPIUR_CONTAINERD%/*}/ctr" -a "$cluster/containerd.sock" -n k8s.io images "$@" >>"$cluster/import.log"; }
# import_image NAME: makes our image of that name (image/make.sh) and puts it on the node, unless it is there.
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
