#!/usr/bin/env bash
# What a user can attack who may write our objects, on one host. Every attempt leaves other users' snapshots unchanged, and the attacker
# gets an error message.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
printf '  catalog: {refreshInterval: 30s}\n' >"$home/often"
sed -i "/create: {enabled: true}/r $home/often" "$home/manifests/all.yaml"
start_up
await 90 "the repository is Ready" is repository main status.phase Ready
[ -n "$(backup_now)" ] || die "the first Backup failed"

# Another user's snapshot, in the same repository.
mkdir "$home/other" && echo payroll >"$home/other/data"
in_repository snapshot create "$home/other" --override-source=alice@payroll:/data >/dev/null
theirs=$(in_repository snapshot list --all --json | jq -r '.[] | select(.source.host == "payroll").id')
kept "$theirs" || die "the other client has no snapshot"

# C1: a Backup that claims that snapshot in every way a user can, and requests its deletion.
row=$(jq -nc --arg id "$theirs" '{id: $id, source: {username: "alice", hostname: "payroll", sourcePath: "/data"}, startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z"}')
forged() { # NAME
  jq -n --arg name "$1" --arg row "$row" --arg id "$theirs" '{apiVersion: "kopiur.home-operations.com/v1alpha1", kind: "Backup",
    metadata: {name: $name, namespace: "default", labels: {"kopiur.home-operations.com/origin": "discovered"},
      annotations: {"kopiur.home-operations.com/discovered-snapshot": $row, "kopiur.home-operations.com/discovered-in": "{\"kind\":\"Repository\",\"name\":\"main\",\"namespace\":\"default\"}"}},
    spec: {configRef: {name: "docs"}, sourcePath: "/no/such/source", deletionPolicy: "Delete"},
    status: {phase: "Succeeded", origin: "manual", snapshot: {kopiaSnapshotID: $id, identity: {username: "alice", hostname: "payroll", sourcePath: "/data"}}}}'
}
for each in forged left; do forged "$each" >"$home/$each.json" && k apply -f "$home/$each.json" >/dev/null; done
for each in forged left; do await 60 "the forged Backup $each has Failed" is backup "$each" status.phase Failed; done
says "$(field backup forged status.failure.message)" "has no source /no/such/source"
[ -z "$(field backup forged status.snapshot.kopiaSnapshotID)" ] || die "the forged Backup has got a snapshot"
k delete backup forged >/dev/null
await 60 "the forged Backup is gone" gone backup forged
kept "$theirs" || die "the other client's snapshot went with a forged Backup"
# The next lists show the snapshot unchanged, and the other forged Backup still stands for nothing.
shown() { k get backups -o json | jq -e --arg id "$theirs" '[.items[] | select(.status.snapshot.kopiaSnapshotID == $id) | .status.phase] == ["Discovered"]'; }
await 120 "the snapshot is shown, once, as a discovered one" shown
is backup left status.phase Failed || die "the forged Backup $(field backup left status.phase)"
k delete backup left >/dev/null
await 60 "the other forged Backup is gone" gone backup left
kept "$theirs" || die "the other client's snapshot went with a forged Backup"
# Deleting the discovered Backup does not delete the snapshot either, whatever the attacker writes into it.
found=$(k get backups -o json | jq -r '.items[] | select(.status.phase == "Discovered").metadata.name')
k get backup "$found" -o json | jq '.spec = {configRef: {name: "docs"}, deletionPolicy: "Delete"}' >"$home/taken.json"
refused=$(k apply -f "$home/taken.json" 2>&1) && die "a discovered Backup was given policy Delete"
says "$refused" "spec.deletionPolicy"
k delete backup "$found" >/dev/null
await 60 "the discovered Backup is gone" gone backup "$found"
kept "$theirs" || die "the other client's snapshot went with a discovered Backup"
echo "ok: a Backup takes along no snapshot but its own, whatever it says of itself"

# H5: forty hooks that never answer, in one namespace. Another namespace backs up at the same time.
start_http_server
mkdir "$home/hung" && echo text >"$home/hung/file"
(
  namespace=attacker
  secret password a-story; volume hung "$home/hung"
  for each in 1 2 3 4 5; do repository "r$each" "$home/hung-$each"; done  # a repository allows eight movers at a time
  for each in $(seq 40); do  # the application of one BackupConfig is quiesced for one Backup at a time
    recipe "hang-$each" "r$((each % 5 + 1))" hung
    printf '  hooks: {beforeSnapshot: [{httpRequest: {url: "%s/hang", timeout: 1h}}]}\n' "$at"
  done
) >"$home/manifests/attacker.yaml"
theirs_ready() { [ "$(k get repository -n attacker -o json | jq '[.items[] | select(.status.phase == "Ready")] | length')" = 5 ]; }
await 60 "the attacker's repositories are Ready" theirs_ready
for each in $(seq 40); do backup_of "hang-$each" "hung-$each" attacker; done >"$home/hung.yaml"
k apply -f "$home/hung.yaml" >/dev/null
hangs() { grep -c hang "$home/requests" || true; }
share_hangs() { [ "$(hangs)" = 32 ]; }
await 90 "the hooks of a whole share hang" share_hangs
k backup now docs --wait --timeout 60 >/dev/null || die "hooks that never answer hold up another namespace"
[ "$(hangs)" = 32 ] || die "one namespace has more than its share: $(hangs)"
sed 's/timeout: 1h}/timeout: 61m}/' "$home/manifests/attacker.yaml" >"$home/longer.yaml"
refused=$(k apply -f "$home/longer.yaml" 2>&1) && die "a hook of more than an hour was taken"
says "$refused" "timeout"
echo "ok: hooks that never answer hold up nobody but their own namespace"

# H8: floods of the health pages, from anybody on this host.
pages=$(cat "$data/http")
python3 "$root/e2e/flood.py" silent "${pages#http://}" http 2000 >"$home/flood" &
flooding=$!
background+=("$flooding")
await 60 "2,000 connections say nothing" grep -qx open "$home/flood"
for _ in {1..10}; do curl -sf -m 5 "$pages/healthz" >/dev/null || die "the health page is not answered beside 2,000 connections"; done
k backup now docs --wait --timeout 60 >/dev/null || die "silent connections hold up a Backup"
{ kill -KILL "$flooding" && wait "$flooding" || true; } 2>/dev/null
for each in "body 1048577" "endless 0"; do
  said=$(python3 "$root/e2e/flood.py" "${each%% *}" "${pages#http://}" http ${each#* })
  says "$said" "HTTP/1.1 413 " "The body is longer than 1048576 bytes, and is not read: send less."
done
curl -sf -m 5 "$pages/healthz" >/dev/null || die "the health page is not answered after the floods"
echo "ok: silent connections and bodies without an end hold up nobody"
