#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety audit
without_backend
await 60 "it says that its backend is gone" is buckety audit BackendUnavailable True/NotInConfig
is buckety audit Ready False/BackendUnavailable || die "it is Ready without a backend"
[ "$(field buckety audit .status.backend)" = kafka ] || die "it has moved"
topic=$(resource_of audit)
topic_exists "$topic" || die "its topic is gone"
[ -n "$(value audit-topic topic)" ] || die "its Secret is gone"
refused "spec.backend" k apply -f - <<YAML
apiVersion: buckety.yolean.se/v1alpha1
kind: Buckety
metadata: {name: new}
spec: {backend: kafka}
YAML
k delete buckety audit --wait=false >/dev/null
await 30 "its deletion waits" eval 'message buckety audit Ready | has -i "deletion blocked"'
reset
await 90 "with the backend back it goes" gone buckety audit
no_topic "$topic" || die "its topic is left"
