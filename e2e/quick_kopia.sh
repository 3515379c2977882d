#!/usr/bin/env bash
# quick_kopia.sh COMMAND...: runs a test with kopia as kopia's own integration tests build it, if available (shell.sh explains why).
source "$(dirname "${BASH_SOURCE[0]}")/shell.sh"
quick_kopia
exec "$@"
