#!/usr/bin/env bash
# with_node.sh attacks.sh: attacks by a tenant of a shared repository who may write our objects in a namespace and knows all names, ids and
# uids of a victim. The victim's snapshots, runs and Backups stay as they were, and the attacker gets an error.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
made=$(import_image mover)
export KOPIUR_KUBECONFIG=$cluster/writer.kubeconfig  # as the gateway, which must not be the administrator: the attacker is
webhook_here
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

# A Backup that claims the victim's snapshot in every way a user can, and requests its deletion.
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

# A Backup labelled with the victim's run: it is the attacker's own Backup, nothing else.
backup_of docs labelled attacker | sed "s|namespace: attacker|&, labels: {$prefix/run: $run}|" | kube apply -f - >>"$home/made"
await 90 "the Backup with the victim's run Succeeded by a run of its own" succeeded attacker labelled
[ "$(of attacker backup labelled status.snapshot.identity.hostname)" = attacker ] || die "it stands for another's snapshot"
[[ $(of attacker backup labelled status.job.name) != "$run"-* ]] || die "it had the victim's run"
in_ns attacker delete backup labelled --wait=false >>"$home/made"
await 90 "it goes with its own snapshot" nothing_named attacker backup labelled
untouched "a Backup with its run as a label"

# Names that only kopiur writes. They are accepted on a new claim, but not believed.
mark() { printf 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s, namespace: attacker, annotations: {%s/restored-by: later, %s/restored-at: "2026-01-01T00:00:00Z"}}\nspec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}, dataSourceRef: {apiGroup: %s, kind: Restore, name: later}}\n' "$1" $prefix $prefix $prefix; }
reserve_names writer
refused() { local said; said=$(in_ns "$@" 2>&1) && return 1; grep -F "only kopiur writes this" <<<"$said"; }
await 30 "a label that only kopiur writes is refused in words" refused attacker label pvc source --dry-run=server --overwrite $prefix/run=x
mark copied | kube apply -f - >>"$home/made"
printf 'apiVersion: %s/v1alpha1\nkind: Restore\nmetadata: {name: later, namespace: attacker}\nspec: {source: {fromConfig: {name: docs}}}\n' $prefix | kube apply -f - >>"$home/made"
doubted() { grep -qF "nothing proves that kopiur wrote this: copied" <<<"$(of attacker restore later 'status.conditions[?(@.reason=="FillNotProven")].message')"; }
await 60 "a claim that says it is filled is doubted in words" doubted
[ "$(of attacker pvc copied status.phase)" = Pending ] || die "it got a volume"
backup_of docs taken-by-hand attacker | kube apply -f - >>"$home/made"
(namespace=attacker && backup_of docs taken | sed "s|namespace: attacker|&, labels: {$prefix/group: x}|") >"$home/taken.yaml"
refused attacker apply -f "$home/taken.yaml" >>"$home/made" || die "a Backup with a label of ours was taken"
for each in restored-by=x made-for=x seal.$prefix/restored-by=x; do
  [[ $each == */* ]] || each=$prefix/$each
  refused attacker annotate pvc source "$each" >>"$home/made" || die "a claim was given $each"
done
refused attacker annotate backup taken-by-hand $prefix/pruned-by=x >>"$home/made" || die "a deletion was exempted from protection"
in_ns attacker annotate restore later $prefix/restore-again=1 >>"$home/made" || die "users may ask for a restore"
echo "ok: what only kopiur writes is refused, what users ask for is not"

# M1: null removes a default. The check judges the resulting pod, not the written field.
jq -n '{apiVersion: "kopiur.home-operations.com/v1alpha1", kind: "BackupConfig", metadata: {name: "bare", namespace: "attacker"}, spec: {repository: {kind: "ClusterRepository", name: "shared"},
  sources: [{pvc: {name: "source"}}], mover: {securityContext: {allowPrivilegeEscalation: null, capabilities: null, readOnlyRootFilesystem: null}}}}' >"$home/bare.json"
kube create --raw "/apis/$prefix/v1alpha1/namespaces/attacker/backupconfigs" -f "$home/bare.json" >>"$home/made"  # kubectl apply would drop null fields
backup_of bare bare attacker | kube apply -f - >>"$home/made"
too_free() { grep -qF "privileged-movers" <<<"$(in_ns attacker get backup bare -o json | jq -r '[.status.failure.message, .status.conditions[]?.message] | join(" ")')"; }
await 60 "a mover without its hardening is refused in words" too_free

# The gateway has marked a claim and is then down: all other clients can still write the claim.
(namespace=attacker && backup_of docs own && { restore_of into own source; }) | kube apply -f - >>"$home/made"
filled() { [ "$(in_ns attacker get pvc source -o json | jq -r --arg by $prefix/restored-by '.metadata.annotations[$by] // empty')" = into ]; }
await 120 "the gateway marks the claim that it filled" filled
kill -STOP "$(cat "$home/services-1.pid")"
in_ns attacker get pvc source -o json | jq '{apiVersion, kind, metadata: {name: .metadata.name, namespace: .metadata.namespace, annotations: .metadata.annotations, labels: {mine: "yes"}}, spec}' >"$home/source.json"
kube apply -f "$home/source.json" >>"$home/made" || die "kubectl apply cannot write a claim that carries our names"
jq 'del(.metadata.annotations) | .metadata.labels.mine = "still"' "$home/source.json" | kube apply -f - >"$home/said" 2>&1 && die "a claim lost our names"
in_ns attacker label pvc source mine=too --overwrite >>"$home/made" || die "a label of another name is refused"
# A StatefulSet whose template carries such a name: its controller creates the claims, and later writes itself as their owner.
cat >"$home/set.yaml" <<YAML
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: attacker}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: a, image: none}]}}
  volumeClaimTemplates: [{metadata: {name: data, annotations: {$prefix/restored-by: into}}, spec: {accessModes: [ReadWriteOnce], storageClassName: none, resources: {requests: {storage: 1Gi}}}}]
YAML
kube apply -f "$home/set.yaml" >>"$home/made"
there() { in_ns attacker get pvc data-db-0 -o name; }
await 60 "a StatefulSet's claim is made" there
in_ns attacker patch statefulset db --type merge -p '{"spec": {"persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"}}}' >>"$home/made"
owned() { [ "$(of attacker pvc data-db-0 'metadata.ownerReferences[0].kind')" = StatefulSet ]; }
await 60 "and given its owner" owned
in_ns attacker delete statefulset db >>"$home/made"
await 60 "and let go with its set" nothing_named attacker pvc data-db-0
kill -CONT "$(cat "$home/services-1.pid")"
echo "ok: with the gateway away, kubectl and the controllers write claims that carry our names"

# H2: an object too deep to be read does not block others, and its owner is informed.
deep=$(printf '%2000s' | tr ' ' '[')$(printf '%2000s' | tr ' ' ']')
printf '{"apiVersion":"%s/v1alpha1","kind":"BackupConfig","metadata":{"name":"deep","namespace":"attacker"},"spec":{"repository":{"kind":"ClusterRepository","name":"shared"},"sources":[{"pvc":{"name":"source"}}],"hooks":{"beforeSnapshot":[{"runJob":{"jobSpec":{"template":{"x":%s}}}}]}}}' $prefix "$deep" >"$home/deep.json"
kube create --validate=false --raw "/apis/$prefix/v1alpha1/namespaces/attacker/backupconfigs" -f "$home/deep.json" >>"$home/made" || die "the API server does not take it: there is nothing to try"
backup_of docs after-deep victim | kube apply -f - >>"$home/made"
await 90 "the victim's next Backup Succeeded" succeeded victim after-deep
told_of_deep() { [ "$(of attacker backupconfig deep 'status.conditions[?(@.type=="Mirrored")].reason')" = TooDeep ]; }
await 30 "its owner hears of it" told_of_deep
kill -TERM "$(cat "$home/services-1.pid")" && wait "$(cat "$home/services-1.pid")" || true
start services
backup_of docs after-list victim | kube apply -f - >>"$home/made"
await 90 "also of a service that starts beside it" succeeded victim after-list
echo "ok: an object of thousands of levels is a stub, and the others are told"

# H8: floods of the webhook, from a program that can reach it. A review of the API server, which waits 5 s, is answered while they last.
apply_webhook Fail
flood() { python3 "$root/e2e/flood.py" "$1" 10.77.0.1:8443 https "${@:2}"; }  # its answer
refuses() { { schedule wrong '0 3 * * *' 'timezone: Mars/Olympus' | k apply --dry-run=server -f - 2>&1 || true; } | grep 'denied the request.*Mars/Olympus'; }
flooded() { # WORD KIND N...: runs the flood until ended; returns once it has begun
  python3 "$root/e2e/flood.py" "$2" 10.77.0.1:8443 https "${@:3}" >"$home/flood" 2>&1 &
  flooding=$!
  pids+=("$flooding")
  await 60 "the flood has begun: ${*:2}" grep -qx "$1" "$home/flood"
}
ended() { { kill -KILL "$flooding" && wait "$flooding" || true; } 2>/dev/null; }
answered_within() { # SECONDS WHAT: ten reviews, each on a new connection or an old one
  local from
  for _ in {1..10}; do
    from=$SECONDS
    refuses >>"$home/made" || die "a review is not answered beside $2"
    [ $((SECONDS - from)) -le "$1" ] || die "a review takes $((SECONDS - from)) s beside $2"
  done
  echo "ok: reviews are answered beside $2"
}
await 30 "the webhook refuses what cannot work" refuses
flooded open silent 2000
answered_within 4 "2,000 connections that say nothing"
ended
flooded held hold 4 8388608
answered_within 4 "four reviews of 8 MiB that never end"
ended
flooded held hold 4 8388608  # they have all memory for 6 s
said=$(flood body 8388608)
grep -q '^HTTP/1.1 503 ' <<<"$said" && grep -qF "there is no memory for this one. Try again later." <<<"$said" || die "a fifth one is answered with: $said"
ended
for each in "body 8388609" endless; do
  said=$(flood $each)
  grep -q '^HTTP/1.1 413 ' <<<"$said" && grep -qF "The body is longer than 8388608 bytes, and is not read: send less." <<<"$said" || die "$each is answered with: $said"
done
refuses >>"$home/made" || die "a review is not answered after the floods"
most=$(awk '/^VmHWM/ {print int($2 / 1024)}' "/proc/$(cat "$home/services-1.pid")/status")
[ "$most" -lt 200 ] || die "the floods took $most MiB"
echo "ok: bodies that are one byte too long are refused in words; all services took $most MiB at most"
