#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety shared
for each in reader readonly writer readwrite; do ready bucketyaccess "$each"; done
for each in reader readonly writer; do
  [ "$(value "shared-$each" secretAccessKey)" = "$(value shared-readwrite secretAccessKey)" ] || die "$each has another key"
  is bucketyaccess "$each" ScopingNotImplemented True/DriverIgnoresRole || die "$each is not told that its role has no effect"
done
[ -z "$(condition bucketyaccess readwrite ScopingNotImplemented)" ] || die "readwrite misses nothing"
consumed consumer
k delete buckety shared --wait=false >/dev/null
await 30 "the deletion waits for the accesses" is buckety shared BlockedByAccesses True/Pending
for each in reader readonly writer readwrite; do message buckety shared BlockedByAccesses | has -w "$each" || die "$each is not named"; done
bucket=$(resource_of shared)
bucket_exists "$bucket" >/dev/null || die "the bucket went before its consumers"
k delete bucketyaccess --all >/dev/null
await 60 "then it goes" gone buckety shared
! bucket_exists "$bucket" >/dev/null 2>&1 || die "its bucket is left"
await 30 "and all Secrets" gone secret shared-reader shared-readonly shared-writer shared-readwrite
