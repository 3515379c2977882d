#!/usr/bin/env bash
# with_api.sh COMMAND...: runs it beside a real API server that knows our kinds. KOPIUR_TEST_API names a folder with a kubeconfig
# for each of admin, writer (may do everything, but is no administrator) and nobody (may do nothing), and apiserver.pid: a server that is killed
# is started again.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
start_api
apply_crds
beside_cluster "$@"
