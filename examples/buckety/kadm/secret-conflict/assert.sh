#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety orders
await 60 "the access reports the conflict" is bucketyaccess billing Ready False/SecretConflict
await 30 "an Event too" event SecretConflict
[ "$(keys taken) $(value taken mine)" = "mine untouched" ] || die "somebody else's Secret was changed"
is buckety orders Ready True/EnsuredOnBackend || die "an access of its own holds up the Buckety"
k delete secret taken >/dev/null
ready bucketyaccess billing
[ "$(value taken topic)" = "$(resource_of orders)" ] || die "the Secret was not minted"
