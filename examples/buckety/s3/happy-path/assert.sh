#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety photos
[ "$(keys photos-bucket)" = "accessKeyID bucket endpoint secretAccessKey" ] || die "the Secret has other keys: $(keys photos-bucket)"
[ "$(value photos-bucket bucket)" = "$(resource_of photos)" ] || die "the Secret names another bucket"
k get secret photos-bucket -o json | jq -e '.metadata.labels["buckety.yolean.se/owned"] == "true" and .metadata.ownerReferences[0].kind == "BucketyAccess"' >/dev/null ||
  die "the Secret is not marked as ours"
[ "$(k get bucketyaccess photos -o jsonpath='{.metadata.ownerReferences[0].kind}')" = Buckety ] || die "the implicit access is not the Buckety's"
k get buckety photos -o json | jq -e '.status | .backend == "s3" and .driver == "s3" and .driverMajor == 0 and .provenance == "Created"' >/dev/null || die "the status says something else"
[ "$(field buckety photos .status.observedGeneration)" = "$(field buckety photos .metadata.generation)" ] || die "its generation is not observed"
consumed consumer
store lsf ":s3:$(resource_of photos)/" | has -x from-the-consumer || die "the object is not in the bucket"
await 30 "an Event tells of it" event Provisioned
