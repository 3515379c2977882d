#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety growing
ready buckety fixed
topic=$(resource_of growing)
patch() { k patch buckety "$1" --type=merge -p "$2"; }
parameter() { patch growing "{\"spec\":{\"parameters\":{\"$1\":\"$2\"}}}"; }
parameter partitions 3 >/dev/null
await 60 "the topic has more partitions" has_partitions "$topic" 3
parameter config.retention.ms 700000 >/dev/null
await 60 "it keeps its records for longer" has_setting "$topic" retention.ms 700000
observed() { [ "$(field buckety growing .status.observedGeneration)" = "$(field buckety growing .metadata.generation)" ]; }
await 30 "the new generation is observed" observed
parameter partitions 2 >/dev/null
await 60 "fewer partitions are drift" is buckety growing ParameterDrift True/Unreconcilable
is buckety growing Ready False/ParameterDrift || die "it is Ready with more partitions than it has"
message buckety growing ParameterDrift | has partitions || die "the parameter is not named"
has_partitions "$topic" 3 || die "the number of partitions has changed"
parameter partitions 3 >/dev/null
ready buckety growing
not_told() { ! is buckety growing ParameterDrift True/Unreconcilable; }
await 30 "there is no drift any more" not_told
refused "spec.backend is immutable" patch growing '{"spec":{"backend":"another"}}'
refused "spec.name is immutable" patch growing '{"spec":{"name":"another"}}'
refused "replicationFactor" patch fixed '{"spec":{"parameters":{"replicationFactor":null}}}'
refused "replicationFactor" parameter replicationFactor 1
refused "spec.parameters: colour" parameter colour red
refused "spec.parameters: partitions" parameter partitions 0
is buckety growing Ready True/EnsuredOnBackend || die "it is no longer Ready"
