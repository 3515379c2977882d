#!/usr/bin/env bash
# with_node.sh namespaces.sh: what `kubectl delete namespace` deletes from a repository. No user requested the deletion of those snapshots,
# so they stay, also with policy Delete, unless the shared repository says otherwise (onNamespaceDelete). The namespace is always removed:
# with its own repository in it, with a running Backup, with one deleted just before. Kept snapshots are discovered again.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
prefix=kopiur.home-operations.com
# in_namespace NAME: moves documents from namespace default to NAME.
in_namespace() { sed "s/namespace: default/namespace: $1/"; }
# tenant NAME: a namespace with a volume.
tenant() {
  kube create namespace "$1" >>"$home/made"
  claim "$1" "$home/volumes/$1" | in_namespace "$1" | kube apply -f - >>"$home/made"
  head -c 200000 /dev/urandom >"$home/volumes/$1/data.bin" && chown -R 65532:65532 "$home/volumes/$1"
}
# take NAMESPACE POLICY NAME...: creates Backups of the BackupConfig that is named like the namespace.
take() {
  local ns=$1 policy=$2; shift 2
  for each in "$@"; do backup_of "$ns" "$each" "$ns" | sed "s/spec: {/&deletionPolicy: $policy, /"; done | kube apply -f - >>"$home/made"
  for each in "$@"; do await 120 "Backup $ns/$each Succeeded" is_in "$ns" backup "$each" status.phase Succeeded; done
}
is_in() { [ "$(kube get "$2" "$3" -n "$1" -o jsonpath="{.$4}")" = "$5" ]; }
id_of() { kube get backup "$2" -n "$1" -o jsonpath='{.status.snapshot.kopiaSnapshotID}'; }
# goes NAMESPACE: deletes it; it must be gone within a minute and a half.
goes() {
  kube delete namespace "$1" --wait=false >>"$home/made"
  no_namespace() { [ -z "$(kube get namespace "$1" -o name --ignore-not-found)" ]; }
  await 90 "namespace $1 is gone" no_namespace "$1"
}
# holds SNAPSHOT: whether the shared repository has it.
holds() { in_shared snapshot list --all --json | jq -e --arg id "$1" 'any(.[]; .id == $id)' >"$home/held"; }

shared_repository '{all: true}' '{fallbackNamespace: vault, refreshInterval: 1m}'
for each in media games own; do tenant "$each"; done
for each in media games; do recipe "$each" shared "$each" | in_namespace "$each" | sed 's/{name: shared}/{kind: ClusterRepository, name: shared}/' | kube apply -f - >>"$home/made"; done
{ secret password a-story; repository own /kopia password true store; recipe own own own; claim store "$home/volumes/store"; } | in_namespace own | kube apply -f - >>"$home/made"

take media Delete first second
first=$(id_of media first) second=$(id_of media second)
goes media
for each in "$first" "$second"; do holds "$each" || die "a snapshot went with its namespace, and nobody asked for that"; done
found() { [ "$(kube get backups -n vault -l $prefix/origin=discovered -o json | jq --arg a "$first" --arg b "$second" '[.items[].status.snapshot.kopiaSnapshotID | select(. == $a or . == $b)] | length')" = 2 ]; }
await 150 "what stayed is found again, in the fallback namespace" found

kube patch clusterrepository shared --type=merge -p '{"spec":{"onNamespaceDelete":"Delete"}}' >>"$home/made"
take games Delete doomed
take games Retain kept
doomed=$(id_of games doomed) kept=$(id_of games kept)
goes games
! holds "$doomed" || die "onNamespaceDelete: Delete has left a snapshot whose own policy is Delete"
holds "$kept" || die "a Backup's own Retain does not count where onNamespaceDelete is Delete"
echo "ok: with onNamespaceDelete: Delete each Backup's own policy counts"

take own Delete before asked
before=$(id_of own before) asked=$(id_of own asked)
head -c 400000000 /dev/urandom >"$home/volumes/own/big.bin" && chown 65532:65532 "$home/volumes/own/big.bin"
{ recipe slow own own | slow && backup_of slow running; } | in_namespace own | kube apply -f - >>"$home/made"
await 60 "a Backup runs" is_in own backup running status.phase Running
kube delete backup asked -n own --wait=false >>"$home/made"
goes own
KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/own.config" repository connect filesystem --path "$home/volumes/store/kopia" --cache-directory "$home/own-cache" >"$home/connected" 2>&1 || die "$(tail -3 "$home/connected")"
KOPIA_PASSWORD=a-story "$KOPIUR_KOPIA" --config-file "$home/own.config" snapshot list --all --json >"$home/own.json" 2>>"$home/kopia.log"
jq -e --arg id "$before" 'any(.[]; .id == $id)' "$home/own.json" >"$home/held" || die "a snapshot went with its namespace: $(cat "$home/own.json")"
echo "ok: a namespace goes with its own repository in it, with a Backup that runs and one that was deleted just before ($asked)"
