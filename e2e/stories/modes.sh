#!/usr/bin/env bash
# Modes of a fresh data folder: nothing in it is for other users except volumes, and the way to them. Folders that exist keep their modes,
# and restored files have their own.
umask 022
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 1
chmod 711 "$home"
echo "for all" >"$home/source/open" && chmod 646 "$home/source/open"
mkdir "$home/source/sub" && echo "for one" >"$home/source/sub/closed" && chmod 640 "$home/source/sub/closed"
mode() { stat -c %a "$1"; }
# stranger ARGS...: as a user without any rights here; only root can become one.
stranger() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
# for_others: prints what other users could read or write, outside of volumes.
for_others() { find "$data" -mindepth 1 -path "$data/volumes" -prune -o ! -type l -perm /077 -print; }

start_up
await 30 "the repository is Ready" is repository main status.phase Ready
saved=$(backup_now)
k restore --backup "$saved" --to copy --wait >"$home/said" 2>&1 || die "not restored: $(cat "$home/said")"
back=$data/volumes/default/copy
for each in kopiur.log http seal bus/server.log; do [ -f "$data/$each" ] || die "$each is missing, so this story checks too little"; done
[ -z "$(for_others)" ] || die "other users may use: $(for_others)"
[ "$(mode "$data")" = 711 ] || die "the data folder is $(mode "$data"): other users may list it, or cannot reach their volumes"
for each in "$data/volumes" "$data/volumes/default"; do [ "$(mode "$each")" = 755 ] || die "$each is $(mode "$each")"; done
[ "$(mode "$back/open") $(mode "$back/sub/closed")" = "646 640" ] || die "restored files have the modes $(mode "$back/open") $(mode "$back/sub/closed")"
if [ "$(id -u)" = 0 ]; then
  [ "$(stranger cat "$back/open")" = "for all" ] || die "another user cannot read a volume"
  ! stranger cat "$back/sub/closed" 2>/dev/null || die "another user reads a file whose mode forbids it"
  ! stranger cat "$data/kopiur.log" 2>/dev/null || die "another user reads the journal"
  ! stranger ls "$data" >/dev/null 2>&1 || die "another user lists the data folder"
fi

# Modes that somebody set stay.
stop_up
chmod 750 "$data" "$data/jobs" && chmod 644 "$data/kopiur.log"
start_up
await 30 "kopiur is back" is repository main status.phase Ready
backup_now >/dev/null
[ "$(mode "$data") $(mode "$data/jobs") $(mode "$data/kopiur.log")" = "750 750 644" ] || die "modes were changed"
stop_up

# The user's umask counts for volumes.
umask 027
data=$home/strict
start_up
await 30 "the repository is Ready" is repository main status.phase Ready
empty_claim fresh >"$home/manifests/fresh.yaml"
await 30 "the claim is bound" is persistentvolumeclaim fresh status.phase Bound
[ "$(mode "$data") $(mode "$data/volumes") $(mode "$data/volumes/default/fresh")" = "710 750 750" ] || die "the user's umask is not kept: $(mode "$data") $(mode "$data/volumes") $(mode "$data/volumes/default/fresh")"
echo "ok: only volumes are for others"
