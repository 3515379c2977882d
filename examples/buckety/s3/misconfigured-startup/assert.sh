#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety steady
refuses 'unknown field.*endpont' < <(changed '0,/endpoint:/s//endpont:/')
refuses 'undefined variable.*UNSET_VARIABLE' < <(changed '0,/ROOT_KEY/s//UNSET_VARIABLE/')
refuses 'unknown driver.*badname' < <(changed '0,/driver: s3/s//driver: badname/')
refuses 'duplicate backend name.*s3' < <(changed 's/- name: r2.*/- name: s3/')
refuses 'missing required field.*endpoint' < <(changed '0,/endpoint:/{/endpoint:/d}')
refuses 'unknown implementation.*gcs' < <(changed '0,/implementation: .*/s//implementation: gcs/')
is buckety steady Ready True/EnsuredOnBackend || die "an object suffers from it"
