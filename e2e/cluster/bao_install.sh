#!/usr/bin/env bash
# with_node.sh --plain bao_install.sh: an OpenBao is backed up and restored by kopiur as the chart installs it: with the chart's rights, its webhook and its
# definitions, the Jobs in a namespace with Pod Security `restricted`, by the example.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/chart.sh"
source "$(dirname "${BASH_SOURCE[0]}")/bao_stage.sh"
for each in services mover nats executor; do import_image "$each"; done
bao=$(import_image openbao)
prepare
servers 1
start_store
mkdir -p "$home/s3/bao-backups"
bao_pods "$ns" 3 "${bao%% *}"
in_bao "$ns" vault secrets enable -path=kv kv >>"$home/made"
kube label namespace "$ns" pod-security.kubernetes.io/enforce=restricted >>"$home/made"
release install --set "nats.replicas=1,global.service.replicas=1,global.systems.openbao.enabled=true"

# --- the example, with our store and token
example() {
  sed "s/change-me-too/$canary/; s|endpoint: https://s3.us-east-1.amazonaws.com|endpoint: http://store.stores.svc:7070\n      usePathStyle: true|; s/token: change-me /token: $(cat "$home/vault.$ns.root") /; s/change-me/rootkey/" "$root/examples/openbao/restore.yaml"
}
of_kind() { example | awk -v RS='---\n' -v kind="kind: $1" 'index($0, kind "\n") {printf "---\n%s", $0}'; }
{ of_kind Secret; of_kind OpenBaoCluster; } | kube apply --server-side --validate=strict -f - >>"$home/made"
b patch openbaocluster vault --subresource=status --type=merge -p '{"status": {"initialized": true}}' >>"$home/made"
write_secret before
key=$(back_up first)
write_secret after
of_kind OpenBaoRestore | sed "s|key: .*|key: $key|" | kube apply --server-side --validate=strict -f - >>"$home/made"
await 180 "the example is restored" in_phase after-the-accident Completed
await 60 "the old secret is there again" secret_is before
await 60 "nothing is left" nothing_left
refused() { local said; said=$(bao_restore wrong "$key" 'overrideOperationLock: true' | kube apply -f - 2>&1) && return 1; grep -F "overrideOperationLock needs force" <<<"$said"; }
refused >>"$home/made" || die "a wrong object is not refused in words when it is written"
changed() { local said; said=$(b patch openbaorestore after-the-accident --type=merge -p '{"spec": {"force": true}}' 2>&1) && return 1; grep -F "never changes" <<<"$said"; }
changed >>"$home/made" || die "an OpenBaoRestore can be changed"
echo "ok: $(b get openbaorestores --no-headers)"
rights_suffice
