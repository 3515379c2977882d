#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety running
# login MECHANISM PASSWORD: the configuration, with that login in place of clientID.
login() { changed "0,/clientID: .*/s//sasl: {mechanism: $1, username: kopiur, password: \"$2\"}/"; }
refuses 'unknown field.*seedBroker' < <(changed '0,/seedBrokers:/s//seedBroker:/')
refuses 'undefined variable.*UNSET_VARIABLE' < <(login PLAIN '${UNSET_VARIABLE}')
refuses 'unknown driver.*badname' < <(changed '0,/driver: kadm/s//driver: badname/')
refuses 'duplicate backend name.*kafka' < <(changed '' && changed 1d)
refuses 'missing required field.*seedBrokers' < <(changed '0,/seedBrokers:/{/seedBrokers:/d}')
refuses 'unknown mechanism.*GSSAPI' < <(login GSSAPI secret)
is buckety running Ready True/EnsuredOnBackend || die "an object suffers from it"
