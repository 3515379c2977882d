#!/usr/bin/env bash
# Deletion: policy Delete deletes the snapshot, Retain keeps it, a pinned Backup waits; a vanished manifest folder deletes nothing. Of two
# kopiur up on one folder the second refuses to start. A client without the login gets nothing.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
start_up
await 90 "the repository is Ready" is repository main status.phase Ready
take() { echo "$RANDOM" >>"$home/source/changes"; backup_now; }
one=$(take) && two=$(take) && three=$(take)
[ -n "$three" ] || die "backup now --wait did not name its Backup"
id_of() { field backup "$1" status.snapshot.kopiaSnapshotID; }
id1=$(id_of "$one") && id2=$(id_of "$two") && id3=$(id_of "$three")

k delete backup "$one" >/dev/null
await 90 "the deleted Backup is gone" gone backup "$one"
! kept "$id1" || die "its snapshot is still there"
echo "ok: its snapshot is gone"

edit() { k get backup "$1" -o json | jq "del(.status,.metadata.uid,.metadata.resourceVersion,.metadata.finalizers)|$2" >"$home/edit.json" && k apply -f "$home/edit.json" >/dev/null; }
edit "$two" '.spec.deletionPolicy="Retain"'
k delete backup "$two" >/dev/null
await 60 "the Backup with policy Retain is gone" gone backup "$two"
kept "$id2" || die "its snapshot was deleted although its policy is Retain"
echo "ok: its snapshot stays"

edit "$three" '.spec.pin=true'
k delete backup "$three" >/dev/null
sleep 15
gone backup "$three" && die "a pinned Backup went"
kept "$id3" || die "the snapshot of a pinned Backup was deleted"
echo "ok: the pinned one waits, and says: $(k get backup "$three" -o json | jq -r '.status.conditions[]|select(.type=="Ready").reason')"

second=$("$bin/kopiur" --data "$data" up 2>&1) && die "a second kopiur up on the same folder was let in"
grep -q "Another kopiur up" <<<"$second" || die "the second kopiur up says: $second"
echo "ok: the second kopiur up refuses"

mv "$home/manifests" "$home/elsewhere" && mkdir "$home/manifests"
sleep 5
is repository main status.phase Ready || die "the repository is not Ready any more after the manifests vanished"
k get config docs >/dev/null || die "a vanished manifest deleted the config"
echo "ok: a manifest folder that vanishes deletes nothing"

url=$(jq -r .url "$data/bus/access.json")
host=${url#nats://}
exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
(trap '' PIPE; printf 'CONNECT {"verbose":false}\r\nSUB > 1\r\nPING\r\n' >&3) 2>/dev/null || true  # the server may close after the first line
answer=$(timeout 30 cat <&3 || true)  # until the server closes the connection
grep -q "Authorization Violation" <<<"$answer" || die "a client without the login was not refused: $answer"
echo "ok: a client without the login gets nothing"
