#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety orders
[ "$(keys orders-topic)" = "bootstrap topic" ] || die "the Secret has other keys: $(keys orders-topic)"
topic=$(resource_of orders)
[ "$(value orders-topic topic) $(value orders-topic bootstrap)" = "$topic $(bootstrap)" ] || die "the Secret names another topic, or other brokers"
k get secret orders-topic -o json | jq -e '.metadata.labels["buckety.yolean.se/owned"] == "true" and .metadata.ownerReferences[0].kind == "BucketyAccess"' >/dev/null ||
  die "the Secret is not marked as ours"
[ "$(k get bucketyaccess orders -o jsonpath='{.metadata.ownerReferences[0].kind}')" = Buckety ] || die "the implicit access is not the Buckety's"
k get buckety orders -o json | jq -e '.status | .backend == "kafka" and .driver == "kadm" and .driverMajor == 0 and .provenance == "Created"' >/dev/null || die "the status says something else"
[ "$(field buckety orders .status.observedGeneration)" = "$(field buckety orders .metadata.generation)" ] || die "its generation is not observed"
consumed consumer
has_records "$topic" 1 || die "the record is not in the topic"
await 30 "an Event tells of it" event Provisioned
