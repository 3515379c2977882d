#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety named
[ "$(resource_of named)" = "$NAMESPACE-gold-local" ] || die "its name is $(resource_of named)"
k label buckety named tier=silver --overwrite >/dev/null
is buckety named Ready True/EnsuredOnBackend && [ "$(resource_of named)" = "$NAMESPACE-gold-local" ] || die "another label has moved it"
write() { k apply -f - <<<"{apiVersion: buckety.yolean.se/v1alpha1, kind: Buckety, metadata: {name: wrong}, spec: {backend: s3, name: \"$1\"}}"; }
refused "label\['missing'\]" write "\${label['missing']}"
refused "backend.missing" write '${backend.missing}'
refused "lowercase" write 'Upper-Case'
