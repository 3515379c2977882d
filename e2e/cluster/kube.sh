# What a script has beside a cluster that runs: its folder is $home, or what KOPIUR_TEST_API names where with_api.sh or with_node.sh runs the script.
set -Eeuo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/e2e/shell.sh"
home=${home:-$KOPIUR_TEST_API}
trap 'echo "FAILED at $(basename "$0"):$(story_line)"' ERR
die() { trap - ERR; echo "FAILED at $(basename "$0"):$(story_line): $*"; exit 1; }

# need NAME...: the programs at KOPIUR_NAME.
need() {
  local each at
  for each in "$@"; do at=KOPIUR_$each; [ -x "${!at:-}" ] || die "there is no program at $at (${!at:-it is not set}); ./dev setup builds it"; done
}
# kube ARGS...: kubectl as the administrator.
kube() { "$KOPIUR_KUBECTL" --kubeconfig="$home/admin.kubeconfig" --cache-dir="$home/cache" "$@"; }
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
# import_image NAME: makes our image of that name (image/make.sh) and puts it on the node.
import_image() {
  "$root/image/make.sh" "$1" "$home/images" &&
    "${KOPIUR_CONTAINERD%/*}/ctr" -a "$home/containerd.sock" -n k8s.io images import "$home/images/$1.tar" >"$home/import.log"
}
