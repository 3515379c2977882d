#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety steady
trap reset EXIT
# ends_with REGEX: a pod of the controller, started with the configuration on standard input, ends with a line like that.
logs() { controller logs "deployment/$CONTROLLER" --all-pods --tail=50 --ignore-errors 2>&1; controller logs "deployment/$CONTROLLER" --all-pods --tail=50 --previous --ignore-errors 2>&1; }
said() { grep -E "$1" <<<"$(logs)"; }
ends_with() {
  local file
  file=$(mktemp) && cat >"$file" && configure "$file" && rm "$file"
  sleep 1
  controller rollout restart deployment "$CONTROLLER" >/dev/null
  await 90 "the log says: $1" said "$1"
}
changed() { sed "$1" "$(configuration)"; }
ends_with 'unknown field.*endpont' < <(changed '0,/endpoint:/s//endpont:/')
ends_with 'undefined variable.*UNSET_VARIABLE' < <(changed '0,/ROOT_KEY/s//UNSET_VARIABLE/')
ends_with 'unknown driver.*badname' < <(changed '0,/driver: s3/s//driver: badname/')
ends_with 'duplicate backend name.*s3' < <(changed 's/- name: r2.*/- name: s3/')
ends_with 'missing required field.*endpoint' < <(changed '0,/endpoint:/{/endpoint:/d}')
ends_with 'unknown implementation.*gcs' < <(changed '0,/implementation: .*/s//implementation: gcs/')
is buckety steady Ready True/EnsuredOnBackend || die "an object suffers from it"
