#!/usr/bin/env bash
# An each-minute schedule of two claims, one of which is never created. The other one is saved at every slot; the Backups of the missing one
# fail in time and state why. While the repository is suspended no slot creates a Backup, one is reported as skipped, and one Backup makes
# up for all. Slots stay inside the windows.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 1
{ recipe docs main source | sed 's/\[{pvc: {name: source}}\]/[{pvc: {name: source}}, {pvc: {name: missing}}]/'; echo '  failurePolicy: {preconditionDeadlineSeconds: 20}'; } >"$home/recipe.yaml"
sed -i '/kind: BackupConfig/,$d; ${/apiVersion/d}' "$home/manifests/all.yaml"
cat "$home/recipe.yaml" >>"$home/manifests/all.yaml"
schedule each-minute '* * * * *' >"$home/manifests/schedule.yaml"

of_claim() { k get backups -o json | jq -r --arg path "/pvc/$1" --arg phase "$2" '.items[] | select(.spec.sourcePath == $path and .status.phase == $phase).metadata.name' | sort; }
has() { [ "$(of_claim "$1" "$2" | wc -l)" -ge "$3" ]; }
skipped() { k get schedule each-minute -o json | jq -r ".status.conditions[]? | select(.type == \"BackupSkipped\").$1"; }
skips_for() { [ "$(skipped reason)" = "$1" ]; }

start_up
await 30 "the repository is Ready" is repository main status.phase Ready
await 60 "two slots have saved the claim that is there" has source Succeeded 2
await 60 "the Backup of the missing one fails" has missing Failed 1
says "$(ready_condition backup "$(of_claim missing Failed | head -1)" message)" "ClaimMissing: Waiting for PersistentVolumeClaim default/missing." "longer than 20s" "preconditionDeadlineSeconds"
of_claim source Succeeded | grep -oE '[0-9]{8}-[0-9]{4}' | sed -E 's/(....)(..)(..)-(..)(..)/\1-\2-\3 \4:\5/' | whole || die "a slot was skipped: $(of_claim source Succeeded)"
says "$(k get schedule each-minute -o json | jq -c .status)" '"consecutiveFailures":'
echo "ok: a missing claim keeps no other from its slots"

cp "$home/manifests/all.yaml" "$home/all.yaml"
sed -i 's/^  create: {enabled: true}/&\n  suspend: true/' "$home/manifests/all.yaml"
await 90 "a slot is told as skipped, with the reason" skips_for RepositorySuspended
says "$(skipped message)" "Repository main is suspended" "the newest missed slot runs"
says "$(status)" "It makes no Backups: Repository main is suspended"
count=$(slots | wc -l)
sleep 65
[ "$(slots | wc -l)" = "$count" ] || die "a Backup was made while the repository is suspended: $(slots)"
cp "$home/all.yaml" "$home/manifests/all.yaml"
await 20 "the newest missed slot runs" has source Succeeded $((count / 2 + 1))
echo "ok: what was suspended is made up for once"

hour=$(date -u -d '+2 hours' +%H)
schedule each-minute '* * * * *' "windows: {allowed: [{from: \"$hour:00\", to: \"$hour:30\"}]}" >"$home/manifests/schedule.yaml"
opens() { k next 2>/dev/null | grep -q "T$hour:00:00Z .*each-minute"; }
await 20 "the next slot is where the windows open" opens
await 20 "its status says so" is schedule each-minute status.nextSchedule.at "$(date -u -d '+2 hours' +%Y-%m-%dT%H:00:00Z)"
sed -i "s/$hour:30/10pm/" "$home/manifests/schedule.yaml"
await 20 "a time that is none is refused" grep -q "must be a time of day\|is not a time of day" "$data/kopiur.log"
echo "ok: slots keep to their windows"
