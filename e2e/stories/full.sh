#!/usr/bin/env bash
# The disk is full: under the repository, and under nats-server (each a small tmpfs in the story's own mount namespace). Each time the
# reason is reported, nothing is lost, and everything continues by itself once there is space again.
if [ -z "${KOPIUR_OWN_MOUNTS:-}" ]; then  # a non-root user becomes root in a user namespace
  [ "$(id -u)" = 0 ] && map=() || map=(--map-root-user)
  KOPIUR_OWN_MOUNTS=1 exec unshare --mount "${map[@]}" bash "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests 30
mkdir -p "$home/repository" "$data/bus/store"
mount -t tmpfs -o size=16m repository "$home/repository"
mount -t tmpfs -o size=160m store "$data/bus/store"
release() { umount "$home/repository" "$data/bus/store"; }
start_up
await 60 "the repository is Ready" is repository main status.phase Ready

first=$(ask_backup)
no_room() { ready_condition backup "$first" message | grep -q "There is no space left"; }
await 30 "a backup onto the full repository says so, and will be tried again" no_room
says "$(status)" "$first" "There is no space left" "enlarge it"
mount -o remount,size=200m "$home/repository"
await 60 "with room again it succeeds by itself" is backup "$first" status.phase Succeeded

# fill: fills the disk under nats-server.
head -c 200000000 /dev/zero >"$data/bus/store/filler" 2>/dev/null || true
[ "$(df --output=avail "$data/bus/store" | tail -1)" -lt 100 ] || die "the store is not full"
says "$(status)" "BAD" "$data/bus/store" "0 B free" "Make room"
says "$(k doctor 2>&1 || true)" "BAD" "$data/bus/store: 0 B free"
# A request made now waits, or is refused with a message; none is lost or done twice.
asked=()
for n in 1 2 3; do
  echo "$n" >>"$home/source/changes"
  if said=$(k backup now docs 2>&1); then asked+=("$(grep -oE 'backup-[a-z0-9]*' <<<"$said" | head -1)"); else says "$said" "space"; fi
  sleep 4
done
rm "$data/bus/store/filler"
echo "room again; ${#asked[@]} of 3 requests had been taken"
for each in "${asked[@]}"; do await 60 "with room again $each succeeds by itself" is backup "$each" status.phase Succeeded; done
[ -n "$(backup_now)" ] || die "a backup after all that should work"
each_once $((${#asked[@]} + 2))
said=$(status)
! grep -q BAD <<<"$said" || die "something is still red"
echo "ok: nothing lost, nothing twice"
