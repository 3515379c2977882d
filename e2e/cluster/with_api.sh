#!/usr/bin/env bash
# with_api.sh COMMAND...: runs it with a real API server that has our kinds. KOPIUR_TEST_API names a folder with a kubeconfig each for
# admin, writer (may do everything, but is no administrator) and nobody (may do nothing), and with apiserver.pid: a killed server is started
# again.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
start_api
apply_crds
beside_cluster "$@"
