# Where the maker of the fixture and the story live: a mount namespace of their own in which their folder is seen at one path, for paths stand in objects, in
# facts and in plans. Source it first.
if [ -z "${KOPIUR_OWN_MOUNTS:-}" ]; then  # a user who is not root becomes it in a namespace of users
  [ "$(id -u)" = 0 ] && map=() || map=(--map-root-user)
  # The machine seems to be up for ten years: libfaketime moves a timer that is due at once (Asio: absolute, 1 ns) by as much as the clock was set back, and
  # on a machine that has been up for less than that it never fires.
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
export XDG_RUNTIME_DIR=$home/run  # the folder for secrets is named by the path of the data folder
mkdir "$home/run"
release() { umount -l /mnt/upgrade && home=$folder; }
echo "$folder is seen at $home by what runs here"

# listed FILTER: of all Backups.
listed() { k get backups -o json | jq -r ".items[] | $1"; }
origin='.metadata.labels["kopiur.home-operations.com/origin"]'
slot='.metadata.annotations["kopiur.home-operations.com/slot"]'
slots() { listed "select($slot) | [.metadata.labels[\"kopiur.home-operations.com/backup-schedule\"], $slot] | join(\" \")" | sort; }
