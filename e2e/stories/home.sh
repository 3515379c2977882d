#!/usr/bin/env bash
# A whole home is saved that contains the repository and kopiur's data folder. No snapshot contains an older one or the password, and the
# status lists what was left out. What a Restore wrote into the data folder is the user's, and is saved. (Trials, T8.)
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home/manifests" "$home/ana/letters"
echo "dear reader" >"$home/ana/letters/one"
data=$home/ana/.kopiur
{ secret password a-story-of-a-home; repository main "$home/ana/backups/main"; volume source "$home/ana"; recipe docs; } >"$home/manifests/all.yaml"
start_up
await 30 "the repository is Ready" is repository main status.phase Ready
first=$(backup_now) && is backup "$first" status.phase Succeeded || die "it is $(ready_condition backup "$first" message)"
[ "$(field backup "$first" status.leftOut.own)" -gt 3 ] || die "what was left out is not told: $(k get backup "$first" -o json | jq -c .status.leftOut)"
told() { k get backup "$1" -o json | jq -r '.status.conditions[] | select(.type == "NamesLeftOut").message'; }
says "$(told "$first")" "kopiur's own" ".kopiur/"
k ls "$first" >"$home/listed"
says "$(cat "$home/listed")" letters backups
[ -z "$(k ls "$first" backups)" ] || die "the repository was saved into itself: $(k ls "$first" backups)"

k restore --backup "$first" --to again --wait >"$home/said" || die "not restored: $(cat "$home/said")"
back=$data/volumes/default/again
[ "$(cat "$back/letters/one")" = "dear reader" ] || die "the letter did not come back"
! grep -rq a-story-of-a-home "$back" || die "the password is in the snapshot"
second=$(backup_now) && is backup "$second" status.phase Succeeded || die "it is $(ready_condition backup "$second" message)"
says "$(k ls "$second" .kopiur/volumes/default/again/letters)" one
[ "$(k ls "$second" .kopiur | awk 'NR > 1 {print $NF}')" = volumes ] || die "more than users' volumes was saved of the data folder: $(k ls "$second" .kopiur)"

# The folder of the repository cannot be a source.
{ volume loop "$home/ana/backups/main"; recipe loop main loop; } >"$home/manifests/loop.yaml"
await 30 "the recipe is there" k get backupconfig loop
! k backup now loop --wait >"$home/said" 2>&1 || die "the repository was saved into itself"
says "$(cat "$home/said")" "the repository itself"
echo "ok: a home with the repository in it"
