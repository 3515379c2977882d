#!/usr/bin/env bash
# with_node.sh [--plain] COMMAND...: runs it beside a real cluster of one node that knows our kinds, in that cluster's own namespaces. --plain: as one
# gets a cluster, without our kinds, but by name pods find each other and the API server finds pods. KOPIUR_TEST_API is as in with_api.sh; a script that sources kube.sh has `kube` and `import_image`. Nothing is left of it however it ends; where it fails, its folder of logs.
source "$(dirname "${BASH_SOURCE[0]}")/node.sh"
if [ -z "${KOPIUR_NODE_HOME:-}" ]; then in_namespaces "$0" "$@"; exit; fi
unset KOPIUR_NODE_HOME
[ "$1" != --plain ] || { plain=yes; shift; }
trap - EXIT  # whoever made the namespaces cleans up after them
start_node
[ -n "$plain" ] || apply_crds
beside_cluster "$@"
