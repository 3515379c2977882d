#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety archive
ready buckety scratch
consumed keeps
consumed drops
archive=$(resource_of archive) scratch=$(resource_of scratch)
k delete buckety archive scratch --wait=false >/dev/null
await 60 "both objects go" gone buckety archive scratch
has_records "$archive" 1 || die "Retain has lost the data"
no_topic "$scratch" || die "Delete has left the topic"
again() { k apply -f - >/dev/null <<YAML
apiVersion: buckety.yolean.se/v1alpha1
kind: Buckety
metadata: {name: archive}
spec: {backend: kafka, name: $archive, retentionPolicy: Delete$1}
YAML
}
again ''
await 60 "a topic with records is not taken over unasked" is buckety archive Ready False/BackendResourceExists
again ', adoption: Adopt'
ready buckety archive
[ "$(field buckety archive .status.provenance)" = Adopted ] || die "it is not called adopted"
k delete buckety archive --wait=false >/dev/null
await 60 "it goes" gone buckety archive
await 30 "an Event says that the topic stays" event RetainedOnDelete
has_records "$archive" 1 || die "an adopted topic was deleted"
kafka topics --delete --topic "$archive" >/dev/null
await 30 "somebody else's topic without records" kafka topics --create --if-not-exists --topic "$archive" --partitions 2
again ', parameters: {partitions: "3"}'
ready buckety archive
[ "$(field buckety archive .status.provenance)" = Adopted ] && has_partitions "$archive" 3 || die "it is not adopted, or its parameters are not applied"
k delete buckety archive --wait=false >/dev/null
await 60 "it goes" gone buckety archive
topic_exists "$archive" || die "an adopted topic was deleted"
kafka topics --delete --topic "$archive" >/dev/null
