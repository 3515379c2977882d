#!/usr/bin/env bash
# run.sh [SCENARIO...]: runs the scenarios in s3/ or kadm/ (all of them, or those named) on the cluster of KUBECONFIG, once for each implementation. Each
# has a namespace of its own, which is deleted when it passed. Exits with 1 when one failed.
#   IMPLEMENTATIONS=versitygw,minio   the services behind the backend: S3 (s3/), or kafka (kadm/)
#   OVERLAYS=FOLDER                   the configurations, one folder an implementation; the default is overlays/
#   KEEP_FAILED=true                  stop at the first failure and leave all as it is; otherwise a failed namespace stays, and the next one runs
# README.md says what has to be installed, and which further variables there are (lib.sh has their defaults).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export NAMESPACE=default OVERLAYS
source "$here/lib.sh"
trap - ERR
IFS=, read -ra implementations <<<"${IMPLEMENTATIONS:-versitygw}"
results=() failed=0

# scenario FOLDER: applies it in a fresh namespace and runs its assertions there.
scenario() {
  local folder=$1 name=${1##*/} from=$SECONDS
  export NAMESPACE=b-$IMPLEMENTATION-$name-$(printf %04x $RANDOM)
  echo "== $IMPLEMENTATION $name, in $NAMESPACE"
  kubectl create namespace "$NAMESPACE" >/dev/null
  if kubectl apply --namespace="$NAMESPACE" -k "$folder" >/dev/null </dev/null && bash "$folder/assert.sh" </dev/null; then
    kubectl delete namespace "$NAMESPACE" --timeout=120s >/dev/null && { results+=("passed $IMPLEMENTATION $name $((SECONDS - from)) s"); return; }
    echo "FAILED: the namespace $NAMESPACE does not end" >&2
  fi
  results+=("FAILED $IMPLEMENTATION $name: NAMESPACE=$NAMESPACE IMPLEMENTATION=$IMPLEMENTATION $folder/assert.sh runs it again") failed=1
  k get bucketies,bucketyaccesses -o yaml | grep -vE '^ +(uid|resourceVersion|managedFields):' | tail -60 >&2 || true
  [ "${KEEP_FAILED:-}" != true ]
}

for IMPLEMENTATION in "${implementations[@]}"; do
  export IMPLEMENTATION
  [ -f "$(configuration)" ] || die "there is no overlay $OVERLAYS/$IMPLEMENTATION"
  controller apply -k "$OVERLAYS/$IMPLEMENTATION" >/dev/null
  reset
  for folder in "$here/$(driver)"/*/ "$here/$(driver)/$IMPLEMENTATION"/*/; do
    folder=${folder%/}
    [ -f "$folder/assert.sh" ] || continue
    [ $# = 0 ] || [[ " $* " == *" ${folder##*/} "* ]] || continue
    scenario "$folder" || break 2
  done
done
printf '%s\n' "" ${results[@]+"${results[@]}"}
[ ${#results[@]} -gt 0 ] || die "there is no such scenario: $*"
exit "$failed"
