# Gives the maker of the fixture and the story a mount namespace each, in which their folder has the same path: objects, facts and plans
# contain paths. Source it first.
if [ -z "${KOPIUR_OWN_MOUNTS:-}" ]; then  # a non-root user becomes root in a user namespace
  [ "$(id -u)" = 0 ] && map=() || map=(--map-root-user)
  # The machine appears to be up for ten years. libfaketime shifts a timer that is due at once (Asio: absolute, 1 ns) by the time the clock
  # was set back. On a machine with a shorter uptime that timer never fires.
  long_up=(--time --monotonic 315360000)
  unshare "${map[@]}" "${long_up[@]}" true 2>/dev/null || long_up=()
  KOPIUR_OWN_MOUNTS=1 exec unshare --mount "${map[@]}" "${long_up[@]}" bash "$0" "$@"
fi
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
folder=$home
mount -t tmpfs place /mnt
mkdir /mnt/upgrade
mount --bind "$folder" /mnt/upgrade
home=/mnt/upgrade data=/mnt/upgrade/data
export XDG_RUNTIME_DIR=$home/run  # the path of the data folder determines the name of the folder for secrets
mkdir "$home/run"
release() { umount -l /mnt/upgrade && home=$folder; }
echo "$folder is seen at $home by what runs here"

# listed FILTER: applied to all Backups.
listed() { k get backups -o json | jq -r ".items[] | $1"; }
origin='.metadata.labels["kopiur.home-operations.com/origin"]'
slot='.metadata.annotations["kopiur.home-operations.com/slot"]'
slots() { listed "select($slot) | [.metadata.labels[\"kopiur.home-operations.com/backup-schedule\"], $slot] | join(\" \")" | sort; }
