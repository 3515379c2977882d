#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety changing
patch() { k patch buckety "$1" --type=merge -p "$2"; }
patch changing '{"spec":{"parameters":{"versioning":"true"}}}' >/dev/null
versioned() { store backend versioning ":s3:$(resource_of changing)" | has Enabled; }
await 60 "the bucket keeps versions" versioned
observed() { [ "$(field buckety changing .status.observedGeneration)" = "$(field buckety changing .metadata.generation)" ]; }
await 30 "the new generation is observed" observed
refused "spec.backend is immutable" patch changing '{"spec":{"backend":"r2"}}'
refused "spec.name is immutable" patch changing '{"spec":{"name":"another"}}'
refused "jurisdiction" patch abroad '{"spec":{"parameters":{"jurisdiction":null}}}'
refused "spec.parameters: colour" patch changing '{"spec":{"parameters":{"colour":"red"}}}'
refused "spec.parameters: versioning" patch changing '{"spec":{"parameters":{"versioning":"yes"}}}'
is buckety changing Ready True/EnsuredOnBackend || die "it is no longer Ready"
