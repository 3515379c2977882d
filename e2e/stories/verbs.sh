#!/usr/bin/env bash
# Every verb of the command line once, on real parts; also run with the sanitizers' build. Also cases that need the whole product: a claim
# that waits for its data, a claim that is filled once, a request for maintenance, a config whose deletion deletes its Backups.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
mkdir -p "$home/source/folder" && echo "a text" >"$home/source/folder/note.txt"
cat >>"$home/manifests/all.yaml" <<'YAML'
---
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Restore
metadata: {name: from-docs, namespace: default}
spec: {source: {fromConfig: {name: docs}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: waiting, namespace: default}
spec: {dataSourceRef: {apiGroup: kopiur.home-operations.com, kind: Restore, name: from-docs}}
YAML
expect() { local code=$1; shift; local got=0; "$@" >"$home/out.txt" 2>&1 || got=$?; [ "$got" = "$code" ] || { cat "$home/out.txt"; die "exit $got instead of $code: $*"; }; }
printed() { grep -qE -- "$1" "$home/out.txt" || { cat "$home/out.txt"; die "it does not say \"$1\""; }; }

start_http_server
export OTEL_EXPORTER_OTLP_ENDPOINT=$at
expect 3 k status
printed 'kopiur up'
start_up
await 120 "the repository is Ready" is repository main status.phase Ready
is pvc waiting status.phase Bound && die "a claim was bound before its data came"
expect 0 k backup now docs --wait
backup=$(k get backups -o json | jq -r '.items[0].metadata.name')
await 60 "the claim that waited is filled and Bound" is pvc waiting status.phase Bound
diff -r "$home/source" "$home/data/volumes/default/waiting" || die "it holds something else than the source"
[ "$(k get pvc waiting -o json | jq -r '.metadata.annotations."kopiur.home-operations.com/restored-by"')" = from-docs ] || die "it does not say who filled it"
echo "ok: and holds what the source holds"

expect 0 k ls "$backup" && printed 'data\.bin' && printed 'd .*folder'
expect 0 k ls "$backup" folder -o json
[ "$(jq -r '.[0].name' "$home/out.txt")" = note.txt ] || die "ls -o json of a folder"
[ "$(k cat "$backup" folder/note.txt)" = "a text" ] || die "cat prints something else"
expect 1 k cat "$backup" folder/none
expect 4 k ls no-such-backup
[ -z "$(find /dev/shm -maxdepth 2 -name 'reading-*' -newer "$home/manifests/all.yaml" 2>/dev/null)" ] || die "ls or cat left secrets behind"
echo "ok: ls and cat show folders and bytes"

expect 0 k restore --backup "$backup" --to waiting --existing --name again --wait
filled() { k get pvc waiting -o json | jq -e '.metadata.annotations."kopiur.home-operations.com/restored-by" == "again"'; }
await 60 "the claim says that this Restore filled it" filled
echo scribble >"$home/data/volumes/default/waiting/folder/note.txt"
expect 0 k delete restore again --wait
expect 0 k restore --backup "$backup" --to waiting --existing --name again --wait
grep -q scribble "$home/data/volumes/default/waiting/folder/note.txt" || die "a Restore made again filled the claim a second time"
echo "ok: a claim is filled once by a Restore of one name"

maintenance=$(k get maintenances -o json | jq -r '.items[0].metadata.name')
await 60 "the default Maintenance is there" k get maintenance "$maintenance"
k get maintenance "$maintenance" -o json | jq 'del(.status,.metadata.uid,.metadata.resourceVersion)|.metadata.annotations={"kopiur.home-operations.com/run-maintenance":"quick by-hand"}' >"$home/maintenance.json"
expect 0 k apply -f "$home/maintenance.json"
owned() { k get maintenance "$maintenance" -o json | jq -e '.status.ownership.owner and .status.quick.lastRunAt and any(.status.conditions[]; .type=="OwnershipClaimed" and .status=="True")'; }
await 60 "a maintenance that was asked for has run, and says who owns it" owned
owned_repository() { k get repository main -o json | jq -e 'any(.status.conditions[]; .type=="MaintenanceOwned" and .status=="True")'; }
await 60 "so does its repository" owned_repository

expect 0 k restore --config docs --to copy --wait
diff -r "$home/source" "$home/data/volumes/default/copy" || die "the copy holds something else than the source"
curl -sf "$(cat "$home/data/http")/readyz" >/dev/null || die "/readyz of kopiur up is not ready"
metrics=$(curl -sf "$(cat "$home/data/http")/metrics")
for metric in controller_reconciliations_total controller_reconcile_duration_seconds kopia_backup_bytes_total kopia_repo_size_bytes \
  kopia_maintenance_last_success_timestamp_seconds kopia_operator_backup_last_success_timestamp_seconds kopia_operator_backup_consecutive_failures \
  kopia_operator_restore_duration_seconds kopiur_leases_held kopiur_gateway_commands_total; do
  grep -q "^$metric" <<<"$metrics" || die "/metrics lacks $metric"
done
echo "ok: health and metrics of kopiur up"
run=$(k get backup "$backup" -o json | jq -r '.status.job.name|sub("-[0-9]+$";"")')
traced() { jq -r --arg run "$run" 'select(.path=="/v1/traces")|.body|fromjson|.resourceSpans[0].scopeSpans[0].spans|select(any(.[0].attributes[]; .value.stringValue==$run))|length' "$home/requests" | grep -cx 4; }
await 20 "a trace of the Backup's run, with its parts, came to the collector" traced

expect 0 k status && printed main
expect 0 k next && printed maintenance
expect 0 k explain retention docs
expect 0 k backups --config docs && printed "$backup"
expect 0 k get backups -A -o yaml && printed kopiaSnapshotID
expect 0 k logs backup "$backup"
expect 0 k doctor
expect 0 k bus apply
expect 0 k bus dlq
for shell in bash zsh fish; do expect 0 k completion $shell && printed kopiur; done
printed 'from suspend.* backupconfigs' && ! grep -E 'from suspend.* (backups|restores)\b' "$home/out.txt" || die "completion of suspend offers kinds that cannot be"
mkdir "$home/past" && echo old >"$home/past/file"
expect 0 k import --config docs --at 2026-01-02T03:04:05Z --from "$home/past" --wait
expect 4 k cancel backup no-such-backup
expect 2 k get nonsense
expect 4 k wait backup no-such-backup
echo "ok: the other verbs answer as they should"

expect 0 k suspend configs docs --reason "new disk" && printed 'kopiur resume BackupConfig docs -n default'
expect 0 k suspend config docs && printed 'suspended already .*new disk'
expect 2 k suspend backup "$backup" && printed 'Name one of: Repository, ClusterRepository, BackupConfig, BackupSchedule, Maintenance'
expect 4 k suspend schedule no-such-schedule
expect 0 k status && printed 'Suspended .*by kopiur suspend at 20.*new disk'
on_hold=$(ask_backup)
holds() { [[ $(ready_condition backup "$on_hold" message) == "BackupConfig docs is suspended"*"$1"* ]]; }
ready_says() { [ "$(ready_condition "$1" "$2" reason)" = "$3" ]; }
await 30 "a Backup of the suspended config says how to resume it" holds 'new disk); run: kopiur resume BackupConfig docs -n default'
sed -i 's|^  sources: .*|&\n  retention: {keepLatest: 1}|' "$home/manifests/all.yaml"
await 30 "an edit of the manifest is applied" is config docs spec.retention.keepLatest 1
stop_up
start_up
await 60 "the repository is Ready after a restart" is repository main status.phase Ready
sleep 3
holds 'new disk' && ready_says config docs Suspended || die "the edit or the restart has ended the suspension"
expect 0 k resume config docs && printed 'is resumed'
await 60 "the Backup that waited succeeds" is backup "$on_hold" status.phase Succeeded
expect 0 k resume config docs && printed 'is not suspended'
expect 0 k suspend repository main
await 30 "a suspended repository says so" ready_says repository main Suspended
expect 0 k resume repository main
await 60 "and is Ready once it is resumed" is repository main status.phase Ready
sed -i '/keepLatest/a\  suspend: true' "$home/manifests/all.yaml"
await 30 "the manifest suspends the config" ready_says config docs Suspended
expect 1 k resume config docs && printed 'set spec.suspend to false there'
expect 0 k suspend config docs && printed 'suspended already .by its manifest'
sed -i '/suspend: true/d' "$home/manifests/all.yaml"
await 30 "and resumes it" ready_says config docs Reachable
echo "ok: suspend and resume leave the manifest alone, and it leaves them alone"

k get config docs -o json | jq 'del(.status,.metadata.uid,.metadata.resourceVersion)|.spec.onConfigDelete="Delete"' >"$home/config.json"
expect 0 k apply -f "$home/config.json"
held() { k get config docs -o json | jq -e '.metadata.finalizers|index("kopiur.home-operations.com/backups-cleanup")'; }
await 30 "a config that takes its Backups along is held" held
k delete config docs >/dev/null
no_config() { ! k get config docs; }
await 120 "it goes once its Backups are gone" no_config
[ "$(in_repository snapshot list --all --json | jq length)" = 0 ] || die "snapshots of its Backups are left"
echo "ok: and their snapshots with them"
