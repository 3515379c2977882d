#!/usr/bin/env bash
# watch_pods_test.sh PROGRAM: the example prints the pods of a real API server and their changes. Run by e2e/cluster/with_api.sh.
source "$(dirname "${BASH_SOURCE[0]}")/../../../e2e/cluster/kube.sh"
out=$home/watch_pods
watcher=
trap '[ -z "$watcher" ] || kill "$watcher"' EXIT
create_pod() {
  kube apply -f - >>"$home/made" <<YAML
{apiVersion: v1, kind: Pod, metadata: {name: $1, namespace: default}, spec: {containers: [{name: main, image: none}]}}
YAML
}
printed() { grep -qx "$1" "$out"; }

"$1" --kubeconfig "$home/none" 2>"$home/refused" && die "it ran without a kubeconfig"
grep -q "$home/none" "$home/refused" || die "it does not name the file: $(cat "$home/refused")"
create_pod before
KUBECONFIG=$home/admin.kubeconfig "$1" >"$out" & watcher=$!
await 10 "a pod that exists is printed" printed 'default/before Pending'
create_pod during
await 10 "a pod that is created meanwhile is printed" printed 'default/during Pending'
kube patch pod before --subresource=status --type=merge -p '{"status":{"phase":"Running"}}' >>"$home/made"
await 10 "its new phase is printed" printed 'default/before Running'
kube delete pod during --grace-period=0 --force >>"$home/made" 2>&1
await 10 "a deletion is printed" printed 'default/during deleted'
kill -0 "$watcher" || die "it has ended"
