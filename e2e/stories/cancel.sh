#!/usr/bin/env bash
# A Backup is ended while kopia works: by `kopiur cancel`, and by its deletion. It ends as Cancelled, or disappears; what it had saved is
# deleted. Nothing of it runs any more, and the next Backup works. Meanwhile `kopiur logs -f` shows the progress.
slow_kopia=yes  # leaves time to catch a mover at work
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 600
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

name=$(ask_backup)
pid=$(mover_of backup) || die "no mover came"
k logs backup "$name" -f >"$home/logs" 2>&1 &
background+=($!)
k cancel backup "$name" >"$home/said"
await 60 "the Backup is Failed" is backup "$name" status.phase Failed
[ "$(field backup "$name" status.failure.class)" = Cancelled ] || die "its class is $(field backup "$name" status.failure.class)"
! kill -0 "$pid" 2>/dev/null || die "its mover still runs"
[ -z "$(snapshots)" ] || die "a snapshot of it is left: $(snapshots)"
[ -s "$home/logs" ] || die "logs -f said nothing"
echo "ok: cancelled; nothing of it is left. logs -f: $(tail -1 "$home/logs")"
! k cancel backup "$name" >"$home/said" 2>&1 || die "what is over was cancelled once more: $(cat "$home/said")"

name=$(ask_backup)
pid=$(mover_of backup) || die "no mover came"
k delete backup "$name" >>"$home/said"
await 60 "the Backup goes in the middle of its run" gone backup "$name"
! kill -0 "$pid" 2>/dev/null || die "its mover still runs"
[ -z "$(snapshots)" ] || die "a snapshot of it is left: $(snapshots)"

name=$(backup_now)
[ -n "$name" ] || die "no further Backup can be taken"
each_once 1
echo "ok: and the next one works"
