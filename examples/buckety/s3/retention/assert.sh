#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety kept
ready buckety dropped
consumed keeps
consumed drops
kept=$(resource_of kept) dropped=$(resource_of dropped)
k delete buckety kept dropped --wait=false >/dev/null
await 60 "both objects go" gone buckety kept dropped
store lsf ":s3:$kept/" | has -x file || die "Retain has lost the data"
! bucket_exists "$dropped" >/dev/null 2>&1 || die "Delete has left the bucket"
again() { k apply -f - >/dev/null <<YAML
apiVersion: buckety.yolean.se/v1alpha1
kind: Buckety
metadata: {name: kept}
spec: {backend: s3, name: $kept, retentionPolicy: Delete$1}
YAML
}
again ''
await 60 "a bucket with content is not taken over unasked" is buckety kept Ready False/BackendResourceExists
again ', adoption: Adopt'
ready buckety kept
[ "$(field buckety kept .status.provenance)" = Adopted ] || die "it is not called adopted"
k delete buckety kept --wait=false >/dev/null
await 60 "it goes" gone buckety kept
await 30 "an Event says that the bucket stays" event RetainedOnDelete
store lsf ":s3:$kept/" | has -x file || die "an adopted bucket was deleted"
store purge ":s3:$kept" >/dev/null
