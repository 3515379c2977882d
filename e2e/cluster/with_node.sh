#!/usr/bin/env bash
# with_node.sh [--plain] COMMAND...: runs it with a real one-node cluster that has our kinds, in that cluster's own Linux namespaces.
# --plain: a cluster without our kinds, in which pods find each other by name and the API server reaches pods. KOPIUR_TEST_API is as in
# with_api.sh; a script that sources kube.sh has `kube` and `import_image`. Nothing of the cluster outlives it; on failure its folder of
# logs stays.
source "$(dirname "${BASH_SOURCE[0]}")/node.sh"
if [ -z "${KOPIUR_NODE_HOME:-}" ]; then in_namespaces "$0" "$@"; exit; fi
unset KOPIUR_NODE_HOME
[ "$1" != --plain ] || { plain=yes; shift; }
trap - EXIT  # the process that made the namespaces cleans up
start_node
[ -n "$plain" ] || apply_crds
beside_cluster "$@"
