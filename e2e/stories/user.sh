#!/usr/bin/env bash
# kopiur up by a non-root user, over files of other users. Unreadable files are named, readable ones are saved and restored, an emptied
# folder is held, and a file name that kopia cannot store is reported, all as for root.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home/manifests" "$home/user/source" "$home/bin"
for i in $(seq 30); do echo "letter $i" >"$home/user/source/letter-$i"; done
echo private >"$home/user/source/of-root"
{ secret password a-story; repository main "$home/user/repository"; volume source "$home/user/source"; recipe docs; } >"$home/manifests/all.yaml"
# The user may not read our build or root's home.
cp "$bin/kopiur" "$bin/kopiur-mover" "$home/bin/"
cp "$(readlink -f "${KOPIUR_KOPIA:-$(command -v kopia)}")" "$home/bin/kopia"
cp "$(readlink -f "${KOPIUR_NATS_SERVER:-$(command -v nats-server)}")" "$home/bin/nats-server"
as_user=()
[ "$EUID" != 0 ] || as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
[ "$EUID" != 0 ] || chown -R 65534:65534 "$home/user"
chmod a+rx "$home" "$home/bin" "$home/bin"/* && chmod -R a+rX "$home/manifests"
[ "$EUID" != 0 ] || chown root "$home/user/source/of-root"
chmod go= "$home/user/source/of-root"
[ "$EUID" = 0 ] || chmod 000 "$home/user/source/of-root"
data=$home/user/data
HOME=$home/user KOPIUR_KOPIA=$home/bin/kopia KOPIUR_NATS_SERVER=$home/bin/nats-server \
  "${as_user[@]}" "$home/bin/kopiur" --data "$data" up --manifests "$home/manifests" >>"$home/up.txt" 2>&1 &
up_pid=$!
await 30 "the repository is Ready" is repository main status.phase Ready
fails() { ! k backup now docs --wait >"$home/said" 2>&1 || die "it succeeded: $(cat "$home/said")"; }
fails
says "$(cat "$home/said")" "the first: of-root" "Run the mover as a user who may read them"
rm -f "$home/user/source/of-root"
good=$(backup_now) && is backup "$good" status.phase Succeeded || die "it is $(ready_condition backup "$good" message)"
k restore --backup "$good" --to back --wait >"$home/said" || die "not restored: $(cat "$home/said")"
diff -r "$home/user/source" "$data/volumes/default/back" || die "it gave back something else"

echo odd >"$home/user/source/$(printf 'caf\xe9')"
fails
says "$(cat "$home/said")" 'caf\xE9' "Rename them"
find "$home/user/source" -type f -delete
fails
says "$(cat "$home/said")" "is held" "kopiur accept"
echo "ok: a user without root has all of it"
