# What the stories share: a place of their own, a running kopiur, bounded waits. Source it; everything is removed at the end unless it failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${KOPIUR_BIN:-$root/build/release/bin}
kopia=${KOPIUR_KOPIA:-$(command -v kopia || true)}
[ -x "$kopia" ] || { echo "kopia is neither at KOPIUR_KOPIA nor on PATH; ./dev setup builds it."; exit 1; }
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-story-XXXXXX")
up_pid=''

k() { "$bin/kopiur" --data "$home/data" "$@"; }
die() { echo "FAILED: $*"; echo "journal: $home/data/kopiur.log"; tail -15 "$home/data/kopiur.log" 2>/dev/null || true; exit 1; }
start_up() {
  "$bin/kopiur" --data "$home/data" up --manifests "$home/manifests" >>"$home/up.txt" 2>&1 &
  up_pid=$!
}
# await SECONDS WHAT COMMAND...
await() {
  local limit=$1 what=$2 from=$SECONDS; shift 2
  until "$@" >/dev/null 2>&1; do [ $((SECONDS - from)) -lt "$limit" ] || die "$what: not within $limit s"; sleep 0.3; done
  echo "ok: $what"
}
field() { k get "$1" "$2" --field "$3" 2>/dev/null; }
is() { [ "$(field "$1" "$2" "$3")" = "$4" ]; }
the_end() {
  local code=$?
  [ -z "$up_pid" ] || { kill -TERM "$up_pid" 2>/dev/null && wait "$up_pid" 2>/dev/null || true; }
  [ "$code" != 0 ] || rm -rf "$home"
  exit "$code"
}
trap the_end EXIT

# plain_manifests: a repository, a source, a recipe; nothing that fires by itself.
plain_manifests() {
  mkdir -p "$home/manifests" "$home/source"
  head -c 3000000 /dev/urandom >"$home/source/data.bin"
  cat >"$home/manifests/all.yaml" <<YAML
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: default}
stringData: {KOPIA_PASSWORD: a-story}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: main, namespace: default}
spec:
  backend: {filesystem: {path: $home/repository}}
  encryption: {passwordSecretRef: {name: password}}
  create: {enabled: true}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: source}
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteOnce]
  hostPath: {path: $home/source}
  claimRef: {name: source, namespace: default}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: source, namespace: default}
spec: {accessModes: [ReadWriteOnce], volumeName: source, resources: {requests: {storage: 1Gi}}}
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupConfig
metadata: {name: docs, namespace: default}
spec:
  repository: {name: main}
  sources: [{pvc: {name: source}}]
YAML
}
# in_repository ARGS...: the real kopia on the story's repository.
in_repository() {
  [ -f "$home/kopia.config" ] || KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/kopia.config" repository connect filesystem --path "$home/repository" --cache-directory "$home/kopia-cache" >/dev/null 2>&1
  KOPIA_PASSWORD=a-story "$kopia" --config-file "$home/kopia.config" "$@" 2>/dev/null
}
