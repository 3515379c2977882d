#!/usr/bin/env bash
# with_node.sh attacks.sh: what a tenant of a shared repository tries who may write our objects in a namespace, and knows all of his victim's names, ids and
# uids. The victim's snapshots, runs and Backups are as before, and the attacker is told.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
start_services "${made%% *}"
prefix=kopiur.home-operations.com
in_ns() { kube --namespace="$@"; }

shared_repository '{list: [victim, attacker]}' '{refreshInterval: 30s}'
for each in victim attacker; do
  kube create namespace "$each" >>"$home/made"
  (namespace=$each && claim source "$home/volumes/$each" && recipe docs shared | sed "s/name: shared/kind: ClusterRepository, name: shared/") | kube apply -f - >>"$home/made"
  echo "of $each" >"$home/volumes/$each/file"
done
of() { in_ns "$1" get "$2" "$3" -o jsonpath="{.$4}"; }
succeeded() { [ "$(of "$1" backup "$2" status.phase)" = Succeeded ]; }
failed() { [ "$(of "$1" backup "$2" status.phase)" = Failed ]; }
nothing_named() { [ -z "$(in_ns "$1" get "$2" "$3" -o name --ignore-not-found)" ]; }
said_of_good() { in_ns victim get backup good -o json | jq -cS '.status | {phase, origin, snapshot, job, resolved}'; }
backup_of docs good victim | kube apply -f - >>"$home/made"
await 90 "the victim's Backup Succeeded" succeeded victim good
id=$(of victim backup good status.snapshot.kopiaSnapshotID) run=$(of victim backup good status.job.name) before=$(said_of_good)
run=${run%-*}
untouched() { # AFTER WHAT
  local ids
  ids=$(in_shared snapshot list --all --json | jq -r '.[].id') || die "the snapshots cannot be listed"
  grep -qx -- "$id" <<<"$ids" || die "the victim's snapshot is gone after $1"
  [ "$(said_of_good)" = "$before" ] || die "the victim's Backup says something else after $1: $(said_of_good)"
  echo "ok: $1 leaves the victim's snapshot and Backup as they are"
}

# A Backup that says of itself, in every way that a user can, that it stands for the victim's snapshot, and is to take it along.
row=$(jq -nc --arg id "$id" '{id: $id, source: {username: "docs", hostname: "victim", sourcePath: "/pvc/source"}, startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z"}')
jq -n --arg row "$row" --arg id "$id" '{apiVersion: "kopiur.home-operations.com/v1alpha1", kind: "Backup", metadata: {name: "forged", namespace: "attacker",
  labels: {"kopiur.home-operations.com/origin": "discovered"},
  annotations: {"kopiur.home-operations.com/discovered-snapshot": $row, "kopiur.home-operations.com/discovered-in": "{\"kind\":\"ClusterRepository\",\"name\":\"shared\"}"}},
  spec: {configRef: {name: "docs"}, sourcePath: "/no/such/source", deletionPolicy: "Delete"},
  status: {phase: "Succeeded", snapshot: {kopiaSnapshotID: $id, identity: {username: "docs", hostname: "victim", sourcePath: "/pvc/source"}}}}' | kube apply -f - >>"$home/made"
await 60 "the forged Backup has Failed" failed attacker forged
[ -z "$(of attacker backup forged status.snapshot)" ] || die "the forged Backup has got a snapshot"
printf 'apiVersion: %s/v1alpha1\nkind: Restore\nmetadata: {name: theft, namespace: attacker}\nspec: {source: {backupRef: {name: forged}}, target: {pvc: {name: loot, capacity: 1Gi, accessModes: [ReadWriteOnce]}}}\n' $prefix | kube apply -f - >>"$home/made"
no_theft() { [ "$(of attacker restore theft status.phase)" = Failed ] && grep -qF "has no complete snapshot" <<<"$(of attacker restore theft status.failure.message)"; }
await 60 "a Restore of it is refused in words" no_theft
printf 'apiVersion: %s/v1alpha1\nkind: Restore\nmetadata: {name: plain, namespace: attacker}\nspec: {repository: {kind: ClusterRepository, name: shared}, source: {identity: {username: docs, hostname: victim, sourcePath: /pvc/source, snapshotID: %s}}, target: {pvc: {name: loot, capacity: 1Gi, accessModes: [ReadWriteOnce]}}}\n' $prefix "$id" | kube apply -f - >>"$home/made"
not_plain() { [ "$(of attacker restore plain status.phase)" = Failed ] && grep -qF "restore its own identities only" <<<"$(of attacker restore plain status.failure.message)"; }
await 60 "a Restore of the victim's identity is refused in words" not_plain
in_ns attacker delete backup forged --wait=false >>"$home/made"
await 60 "the forged Backup is gone" nothing_named attacker backup forged
untouched "a Backup that claims it"

# A Backup that bears the victim's run as a label: it is a Backup of the attacker's own, and nothing else.
backup_of docs labelled attacker | sed "s|namespace: attacker|&, labels: {$prefix/run: $run}|" | kube apply -f - >>"$home/made"
await 90 "the Backup with the victim's run Succeeded by a run of its own" succeeded attacker labelled
[ "$(of attacker backup labelled status.snapshot.identity.hostname)" = attacker ] || die "it stands for another's snapshot"
[[ $(of attacker backup labelled status.job.name) != "$run"-* ]] || die "it had the victim's run"
in_ns attacker delete backup labelled --wait=false >>"$home/made"
await 90 "it goes with its own snapshot" nothing_named attacker backup labelled
untouched "a Backup with its run as a label"
