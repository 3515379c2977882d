#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety steady
bucket=$(resource_of steady)
versioned() { store backend versioning ":s3:$bucket" | has Enabled; }
versioned || die "the bucket keeps no versions"
store backend versioning ":s3:$bucket" Suspended >/dev/null
await 90 "versioning is switched on again" versioned
store purge ":s3:$bucket" >/dev/null
await 90 "a bucket that somebody deleted is made again" bucket_exists "$bucket"
await 30 "a Warning tells of it" event ResourceMadeAgain
key=$(value steady-bucket secretAccessKey)
k delete secret steady-bucket >/dev/null
minted() { [ "$(value steady-bucket secretAccessKey)" = "$key" ]; }
await 60 "a deleted Secret is minted again" minted
k patch secret steady-bucket --type=merge -p '{"stringData":{"secretAccessKey":"edited","of-a-user":"stays"}}' >/dev/null
await 60 "an edited one is made right" minted
[ "$(value steady-bucket of-a-user)" = stays ] || die "the key of a user is gone"
