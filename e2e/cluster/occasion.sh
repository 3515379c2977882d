#!/usr/bin/env bash
# with_node.sh occasion.sh: a database in a pod that never stops writing into two claims. Hooks freeze it once for both, and thaw it as soon
# as a snapshot of each is cut, long before they are uploaded. The copies are of one moment, cut one by one or captured together. The same
# holds, and hooks run once, if mover-orchestration or the gateway is killed during the freeze, the cut or the thaw. Without hooks the
# copies are of two moments.
source "$(dirname "${BASH_SOURCE[0]}")/services.sh"
source "$(dirname "${BASH_SOURCE[0]}")/storage.sh"
made=$(import_image mover)
import_image pause >>"$home/images.log"
start_storage
start_services "${made%% *}" keep
source "$root/e2e/stories/ledger.sh"

database() {
  cat <<YAML
---
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec:
  terminationGracePeriodSeconds: 0
  containers:
    - name: main
      image: kopiur-pause:0.1.0
      imagePullPolicy: Never
      command: [/usr/bin/python3, /ledger.py, run, /ledger, /wal, /wal/port, /wal/asked]
      securityContext: {runAsUser: 65532}
      volumeMounts:
        - {name: usr, mountPath: /usr}
        - {name: lib, mountPath: /lib}
        - {name: lib64, mountPath: /lib64}
        - {name: script, mountPath: /ledger.py}
        - {name: ledger, mountPath: /ledger}
        - {name: wal, mountPath: /wal}
  volumes:
    - {name: usr, hostPath: {path: /usr}}
    - {name: lib, hostPath: {path: /lib}}
    - {name: lib64, hostPath: {path: /lib64}}
    - {name: script, hostPath: {path: $ledger}}
    - {name: ledger, persistentVolumeClaim: {claimName: ledger}}
    - {name: wal, persistentVolumeClaim: {claimName: wal}}
YAML
}
# of_both NAME GROUPING: a BackupConfig for both claims.
of_both() { recipe "$1" | sed "s/^  sources: .*/  copyMethod: Snapshot\n  groupBy: $2\n  sources: [{pvc: {name: ledger}}, {pvc: {name: wal}}]/"; }
tells() { printf '{workloadExec: {podSelector: {matchLabels: {app: db}}, command: [/usr/bin/python3, /ledger.py, tell, /wal/port, %s], timeout: 20s}}' "$1"; }
hooks() { printf '  hooks:\n    beforeSnapshot: [%s]\n    afterSnapshot: [%s]\n' "$(tells freeze)" "$(tells thaw)"; }

{ secret password a-story; claim store "$home/volumes/store"; stored_claim ledger folders; stored_claim wal folders; repository main /kopia password true store; } | k apply -f - >>"$home/made"
{ of_both db None; hooks; of_both pair VolumeGroupSnapshot; hooks; of_both torn None; } | k apply -f - >>"$home/made"
for each in ledger wal; do await 30 "the claim $each is bound" is pvc "$each" status.phase Bound; chown 65532:65532 "$(stored_at "$each")"; done
database | k apply -f - >>"$home/made"
log=$(stored_at wal)/asked entry=$(stored_at ledger)/entry
await 60 "the database writes" test -s "$(stored_at wal)/port"
touch "$log" && chown 65532:65532 "$log"
await 90 "the repository is Ready" is repository main status.phase Ready

group() { k get backups -l "kopiur.home-operations.com/group=$1" -o json | jq -c '.items[]'; }

# The upload is slow: the database works again before it ends.
backup_of db first | k apply -f - >>"$home/made"
whole first 180
[ "$(asked)" = "freeze thaw" ] || die "it was asked: $(cat "$log")"
thawed=$(jq -r 'select(.what == "thaw").at' "$log" | cut -d. -f1)
started=$(group first | jq -r '.status.timing.startTime | sub("[.][0-9]+"; "") | fromdateiso8601' 2>/dev/null | sort -n | head -1 || true)
echo "ok: it rested for $(jq -rs '(.[1].at - .[0].at) * 1000 | floor' "$log") ms; movers began ${started:+$((started - thawed)) s after it was let go}"
backup_of torn torn | k apply -f - >>"$home/made"
await 180 "without hooks a Backup Succeeded" is backup torn status.phase Succeeded
not_whole torn
backup_of pair together | k apply -f - >>"$home/made"
whole together 180

cut_begins() { [ -n "$(k get volumesnapshots -o name)" ]; }
# round SERVICE STEP: kills the service during a Backup, once the step has come.
round() {
  local what="$1 is killed at $2" name=$1-$2 freezes thaws
  freezes=$(times freeze) thaws=$(times thaw)
  backup_of db "$name" | k apply -f - >>"$home/made"
  case $2 in
    freeze) await 60 "$what: it is frozen" more_than freeze "$freezes" ;;
    cut) await 60 "$what: a snapshot is being cut" cut_begins ;;
    thaw) await 60 "$what: it is let go" more_than thaw "$thaws" ;;
  esac
  kill -KILL "$(cat "$home/$1-1.pid")"
  whole "$name" 180
  once_but "$what" "$freezes" "$thaws" "$([ "$1" != gateway ] || echo "$2")"
}
for step in freeze cut thaw; do for service in mover-orchestration gateway; do round "$service" "$step"; done; done
no_copies() { [ -z "$(kube get volumesnapshots,volumegroupsnapshots,volumesnapshotcontents -A -o name)" ] && [ "$(kube get pvc -A -o name | wc -l)" = 3 ]; }
await 90 "nothing of the copies is left" no_copies
