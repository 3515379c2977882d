#!/usr/bin/env bash
# Repositories that cannot be opened for different reasons: each shows its own failure class and advice, and no repository is ever created
# over unreadable data. Also a missing or too old kopia, and a repository that vanishes under a config that used it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
mkdir -p "$home/empty" "$home/foreign" "$home/spoilt"
echo "somebody's data" >"$home/foreign/notes.f" && echo garbage >"$home/spoilt/kopia.repository.f"
{
  secret another-password not-the-password
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: default}\nstringData: {AWS_ACCESS_KEY_ID: a, AWS_SECRET_ACCESS_KEY: b}\n'
  repository not-there "$home/empty" password false
  repository foreign "$home/foreign"
  repository spoilt "$home/spoilt"
  repository unreachable x | sed 's/backend: .*/backend: {s3: {bucket: abc, endpoint: "127.0.0.1:1", auth: {secretRef: {name: keys}}, tls: {disableTls: true}}}/'
} >"$home/manifests/others.yaml"

# sees REPOSITORY CLASS TEXT...: `get` and `status` show the class and the advice.
sees() {
  local name=$1 class=$2; shift 2
  await 40 "$name: $class" class_is "$name" "$class"
  says "$(k get repositories)" "$class"
  says "$(k get repositories -o wide | grep -E "^$name ")" "$class" "$@"
  says "$(status | grep -E "default/$name ")" "BAD" "Failed" "$@"
}
class_is() { [ "$(ready_condition repository "$1" reason)" = "$2" ]; }
# kopia's own connect leaves a file `.shards`, nothing else.
holds() { [ "$(find "$1" -type f ! -name .shards -printf '%P\n')" = "$2" ] || die "$1 should hold \"$2\" alone, and holds $(ls -A "$1")"; }
files_in() { (cd "$1" && find . -type f ! -name .shards | sort | xargs -r sha256sum); }

# kopia is missing, then available, then too old.
mkdir "$home/bin"
KOPIUR_KOPIA=$home/bin/kopia start_up
sees main KopiaMissing "kopia program was not found"
[ ! -e "$home/repository" ] || holds "$home/repository" ""
ln -s "$kopia" "$home/bin/kopia"
await 40 "kopia has come: main is Ready by itself" is repository main status.phase Ready
sees not-there NotInitialized "no repository at this location" "create.enabled"
sees foreign LocationOccupied "not a repository we can open"
sees spoilt LocationOccupied "holds data that is not a repository"
holds "$home/empty" "" && holds "$home/foreign" notes.f && holds "$home/spoilt" kopia.repository.f

before=$(files_in "$home/repository")
repository wrong-password "$home/repository" another-password true >"$home/manifests/wrong-password.yaml"
sees wrong-password WrongPassword "this password does not open it" "encryption.passwordSecretRef"
[ "$before" = "$(files_in "$home/repository")" ] || die "a repository whose password was wrong was written to"
echo "ok: never made over what could not be read"
# A repository that may be created is suspended before the place is emptied, or it would be created there.
repository wrong-password "$home/repository" another-password true | sed '/^spec:/a\  suspend: true' >"$home/manifests/wrong-password.yaml"
await 20 "the one with the wrong password is suspended" class_is wrong-password Suspended
at_rest() { ! pgrep -f "kopiur-mover $data/jobs/connect"; }
await 20 "and no mover opens anything" at_rest

# The repository vanishes under a config that used it: an unmounted disk is a loss or the wrong place, never a reason to create a new one.
[ -n "$(backup_now)" ] || die "a backup should work"
mv "$home/repository" "$home/repository-kept" && mkdir "$home/repository"
name=$(ask_backup)
await 40 "a backup into the empty place fails" is backup "$name" status.phase Failed
[ "$(field backup "$name" status.failure.class)" = NotInitialized ] || die "it is called $(field backup "$name" status.failure.class)"
holds "$home/repository" ""
rm -r "$home/repository" && mv "$home/repository-kept" "$home/repository"
[ -n "$(backup_now)" ] || die "a backup should work again"
echo "ok: a known repository that vanishes is not made again"
sees unreachable Unreachable "cannot be reached" "Check its address"
holds "$home/empty" ""
stop_up

printf '#!/bin/sh\necho "0.17.0 build: old from: kopia/kopia"\n' >"$home/bin/old-kopia" && chmod +x "$home/bin/old-kopia"
data=$home/data-old
rm "$home/manifests/others.yaml"
KOPIUR_KOPIA=$home/bin/old-kopia start_up
sees main KopiaUnsupported "0.17.0" "was not tested with this mover"
says "$(KOPIUR_KOPIA=$home/bin/old-kopia k doctor 2>&1 || true)" "BAD" "It says it is 0.17.0"
says "$(KOPIUR_KOPIA=$home/bin/no-kopia k doctor 2>&1 || true)" "BAD" "kopia program was not found"
