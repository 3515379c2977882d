#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety clicks
without_controller
k apply -f "$(dirname "$0")/consumer.yaml" >/dev/null
consumed while-away
has_records "$(resource_of clicks)" 1 || die "the record is not there"
