#!/usr/bin/env bash
# with_api.sh COMMAND...: runs it beside a real API server that knows our kinds. KOPIUR_TEST_API names a folder with a kubeconfig
# for each of admin, writer (may do everything, but is no administrator) and nobody (may do nothing), and apiserver.pid: a server that is killed
# is started again.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
start_api
apply_crds
for user in admin writer nobody; do
  cat >"$home/$user.kubeconfig" <<YAML
apiVersion: v1
kind: Config
current-context: test
contexts: [{name: test, context: {cluster: test, user: $user}}]
clusters: [{name: test, cluster: {server: "$url", certificate-authority: ca.crt}}]
users: [{name: $user, user: {client-certificate: $user.crt, client-key: $user.key}}]
YAML
done
KOPIUR_TEST_API=$home "$@" &
pids+=($!) command=$!
while kill -0 "$command" 2>/dev/null; do
  kill -0 "$api_pid" 2>/dev/null || { wait "$api_pid" 2>/dev/null || true; run_api; }
  sleep 0.2
done 2>>"$home/ends"  # bash tells of each end at length
wait "$command"
