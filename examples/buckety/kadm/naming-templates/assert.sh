#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety labelled
[ "$(resource_of labelled)" = "$NAMESPACE.gold.local_Orders" ] || die "its name is $(resource_of labelled)"
topic_exists "$NAMESPACE.gold.local_Orders" || die "there is no topic of that name"
k label buckety labelled tier=silver --overwrite >/dev/null
is buckety labelled Ready True/EnsuredOnBackend && [ "$(resource_of labelled)" = "$NAMESPACE.gold.local_Orders" ] || die "another label has moved it"
write() { k apply -f - <<<"{apiVersion: buckety.yolean.se/v1alpha1, kind: Buckety, metadata: {name: wrong}, spec: {backend: kafka, name: \"$1\"}}"; }
refused "label\['missing'\]" write "\${label['missing']}"
refused "backend.missing" write '${backend.missing}'
refused "spec.name: .*topic name" write 'with a space'
refused "spec.name: .*topic name" write '__consumer_offsets'
