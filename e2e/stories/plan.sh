#!/usr/bin/env bash
# A dry run before a restore, by identity and snapshot id, as a user has them who lost a file. The dry run writes nothing and reports what
# would be written. One file is restored into its own place. Owners are restored, and a Restore that must keep them fails where they would
# be lost.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[ "$(id -u)" = 0 ] || die "this story is about owners: run it as root"
mkdir -p "$home/manifests" "$home/source/letters"
echo first >"$home/source/letters/one" && echo second >"$home/source/letters/two" && echo table >"$home/source/data.db"
chown -R 1234:5678 "$home/source" && chmod 0751 "$home/source/letters" && chmod 0600 "$home/source/data.db"
{ secret password a-story; repository main "$home/repository"; volume source "$home/source"; recipe docs; } >"$home/manifests/all.yaml"
start_up
await 30 "the repository is Ready" is repository main status.phase Ready
backup_now >"$home/said" || die "no backup: $(cat "$home/said")"
id=$(in_repository snapshot list --all --json | jq -r '.[0].id')
who=docs@default:/pvc/source

k restore --snapshot "$id" --identity "$who" --path letters --dry-run >"$home/plan" || die "no plan: $(cat "$home/plan")"
grep -q "snapshot $id of .*, 2 files, 13 B" "$home/plan" && grep -q "created 2, replaced 0, unchanged 0, deleted 0" "$home/plan" || die "it said: $(cat "$home/plan")"
rm "$home/source/letters/one" && echo changed >"$home/source/letters/two"
k restore --identity "$who" --to source --existing --dry-run --name look >"$home/plan" || die "no plan: $(cat "$home/plan")"
grep -q "created 1, replaced 1, unchanged 1, deleted 0" "$home/plan" || die "it said: $(cat "$home/plan")"
[ "$(cat "$home/source/letters/two")" = changed ] && [ ! -e "$home/source/letters/one" ] || die "the dry run has written"

k restore --identity "$who" --to source --existing --path letters/one --wait >"$home/said" || die "not restored: $(cat "$home/said")"
[ "$(cat "$home/source/letters/one")" = first ] && [ "$(cat "$home/source/letters/two")" = changed ] || die "it should be the one file"
[ "$(stat -c '%u:%g %a' "$home/source/letters/one")" = "1234:5678 644" ] || die "its owner is $(stat -c '%u:%g %a' "$home/source/letters/one")"

# The plan is carried out on request.
[ "$(field restore look status.phase)" = Completed ] || die "the plan is $(field restore look status.phase)"
k get restore look -o json | jq 'del(.status, .metadata.resourceVersion) | .spec.dryRun = false' >"$home/look.json" && k apply -f "$home/look.json" >/dev/null
restored() { [ "$(cat "$home/source/letters/two")" = second ]; }
await 30 "what was planned is done" restored
await 30 "and told" is restore look status.ownership.lost 0

# A mover that may not change owners: kopia ignores that error, and so does a Restore that does not require owners.
stop_up
setpriv --bounding-set -chown --inh-caps -chown "$bin/kopiur" --data "$data" up --manifests "$home/manifests" >>"$home/up.txt" 2>&1 &
up_pid=$!
await 30 "kopiur answers again" k get repositories
! k restore --identity "$who" --to strict --require-ownership --wait >"$home/said" 2>&1 || die "it has lost owners: $(cat "$home/said")"
grep -q "may not give files to others, so nothing was written" "$home/said" || die "it said: $(cat "$home/said")"
[ -z "$(find "$data/volumes/default/strict" -type f)" ] || die "it has written"
k restore --identity "$who" --to loose --wait --name loose >"$home/said" || die "not restored: $(cat "$home/said")"
k get restore loose -o json | jq -e '.status.conditions[] | select(.type == "OwnershipKept" and .status == "False") | .message | contains("6 of 6 entries") or contains("5 of 5 entries")' >/dev/null ||
  die "it says: $(k get restore loose -o json | jq -c '.status.conditions')"
echo "ok: planned, restored in part and whole, owners kept or told"
