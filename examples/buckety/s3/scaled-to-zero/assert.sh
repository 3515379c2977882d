#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety busy
before=$(controller get deployments -l "$CONTROLLER_SELECTOR" -o jsonpath='{range .items[*]}{.metadata.name}={.spec.replicas} {end}')
again() {
  for each in $before; do controller scale deployment "${each%=*}" --replicas="${each#*=}" >/dev/null; done
  for each in $before; do controller rollout status deployment "${each%=*}" --timeout=180s >/dev/null; done
}
trap again EXIT
controller scale deployment -l "$CONTROLLER_SELECTOR" --replicas=0 >/dev/null
no_pods() { for each in $before; do [ "$(controller get deployment "${each%=*}" -o jsonpath='{.status.replicas}')" = "" ] || return 1; done; }
await 120 "no pod of the controller is left" no_pods
k apply -f "$(dirname "$0")/consumer.yaml" >/dev/null
consumed while-away
store cat ":s3:$(resource_of busy)/while-away" | grep -q . || die "the object is not there"
