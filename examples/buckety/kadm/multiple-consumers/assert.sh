#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety events
topic=$(resource_of events)
for each in events-reader events-readonly events-writer events-readwrite; do
  ready bucketyaccess "$each"
  [ "$(value "$each" topic)" = "$topic" ] || die "$each has another topic"
done
for each in events-reader events-readonly events-writer; do is bucketyaccess "$each" ScopingNotImplemented True/DriverIgnoresRole || die "$each is not told that its role has no effect"; done
[ -z "$(condition bucketyaccess events-readwrite ScopingNotImplemented)" ] || die "events-readwrite misses nothing"
await 60 "an unknown parameter is refused" is bucketyaccess strange Ready False/InvalidParameters
message bucketyaccess strange Ready | has -w bogus || die "the parameter is not named"
gone secret events-strange || die "a refused access has a Secret"
consumed producer
consumed reader
k delete buckety events --wait=false >/dev/null
await 30 "the deletion waits for the accesses" is buckety events BlockedByAccesses True/Pending
for each in events-reader events-readonly events-writer events-readwrite strange; do message buckety events BlockedByAccesses | has -w "$each" || die "$each is not named"; done
topic_exists "$topic" || die "the topic went before its consumers"
k delete bucketyaccess --all >/dev/null
await 60 "then it goes" gone buckety events
no_topic "$topic" || die "its topic is left"
await 30 "and all Secrets" gone secret events-reader events-readonly events-writer events-readwrite
