#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety sticky
without_backend
await 60 "it says that its backend is gone" is buckety sticky BackendUnavailable True/NotInConfig
is buckety sticky Ready False/BackendUnavailable || die "it is Ready without a backend"
[ "$(field buckety sticky .status.backend)" = s3 ] || die "it has moved"
bucket=$(resource_of sticky)
bucket_exists "$bucket" >/dev/null || die "its bucket is gone"
[ -n "$(value sticky-bucket bucket)" ] || die "its Secret is gone"
refused "spec.backend" k apply -f - <<YAML
apiVersion: buckety.yolean.se/v1alpha1
kind: Buckety
metadata: {name: new}
spec: {backend: s3}
YAML
k delete buckety sticky --wait=false >/dev/null
await 30 "its deletion waits" eval 'message buckety sticky Ready | has -i "deletion blocked"'
reset
await 90 "with the backend back it goes" gone buckety sticky
! bucket_exists "$bucket" >/dev/null 2>&1 || die "its bucket is left"
