#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety busy
without_controller
k apply -f "$(dirname "$0")/consumer.yaml" >/dev/null
consumed while-away
store cat ":s3:$(resource_of busy)/while-away" | has . || die "the object is not there"
