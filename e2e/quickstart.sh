#!/usr/bin/env bash
# The main job on this host, shown step by step: `./dev quickstart [--clean]`. Every step is checked; the first one that fails ends the
# story with a sentence and a nonzero exit code. A second run finds everything as it was; `--clean` starts over.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

home=${KOPIUR_QUICKSTART_DIR:-$PWD/build/quickstart}
bin=${KOPIUR_BIN:-$PWD/build/release/bin}
kopia=${KOPIUR_KOPIA:-$(command -v kopia || true)}
password=quickstart
up_pid='' began=$SECONDS told='' at_step='the beginning'

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' green=$'\033[32m' red=$'\033[31m' dim=$'\033[2m' plain=$'\033[0m'; else bold='' green='' red='' dim='' plain=''; fi
step() { at_step=$*; printf '\n%s%s%s %s(%ds)%s\n' "$bold" "$*" "$plain" "$dim" "$((SECONDS - began))" "$plain"; }
good() { printf '  %sok%s  %s\n' "$green" "$plain" "$*"; }
show() { printf '  %s$ kopiur %s%s\n' "$dim" "$*" "$plain"; "$bin/kopiur" --data "$home/data" "$@" | sed 's/^/  /'; }
k() { "$bin/kopiur" --data "$home/data" "$@"; }
die() {
  told=yes
  printf '\n%sThe quickstart stops here:%s %s\n' "$red" "$plain" "$*" >&2
  printf 'The journal is in %s/data/kopiur.log, what kopiur up said in %s/up.txt. Start over with: ./dev quickstart --clean\n' "$home" "$home" >&2
  exit 1
}
# await SECONDS WHAT COMMAND...: until the command succeeds.
await() {
  local limit=$1 what=$2 from=$SECONDS; shift 2
  until "$@" >/dev/null 2>&1; do
    [ $((SECONDS - from)) -lt "$limit" ] || die "$what: not within $limit s."
    kill -0 "$up_pid" 2>/dev/null || die "kopiur up has ended: $(tail -3 "$home/up.txt")"
    [ ! -t 1 ] || printf '\r  %s... %s (%ds)%s\033[K' "$dim" "$what" "$((SECONDS - from))" "$plain"
    sleep 0.5
  done
  [ ! -t 1 ] || printf '\r\033[K'
  good "$what"
}
field() { k get "$1" "$2" --field "$3"; }
# names_of ORIGIN: the names of Backups of that origin, one per line.
names_of() { k backups | awk -v origin="$1" 'NR > 1 && $3 == origin && $2 ~ /Succeeded|Discovered/ { print $1 }'; }
has_backup_of() { [ -n "$(names_of "$1")" ]; }
is_set() { [ -n "$(field "$@")" ]; }

stop_up() {
  [ -n "$up_pid" ] || return 0
  local pid=$up_pid n=0
  up_pid=''
  kill -TERM "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do
    if [ $((n += 1)) -gt 200 ]; then kill -KILL "$pid"; die "kopiur up did not stop within 20 s of being asked to."; fi
    sleep 0.1
  done
  wait "$pid" 2>/dev/null || die "kopiur up ended with code $?."
}
the_end() {
  local code=$?
  stop_up
  [ "$code" = 0 ] || [ -n "$told" ] || printf '\n%sThe quickstart stops at "%s"%s (code %d). See %s/up.txt and %s/data/kopiur.log.\n' "$red" "$at_step" "$plain" "$code" "$home" "$home" >&2
}
trap the_end EXIT
trap 'exit 130' INT TERM

start_up() {
  step "Starting kopiur: the bus, all services and this host's adapter, in one process"
  "$bin/kopiur" --data "$home/data" up --manifests "$home/manifests" >"$home/up.txt" 2>&1 &
  up_pid=$!
  await 60 "kopiur up answers" k get repositories
}

# from_example FOLDER FILE SED...: copies a manifest of examples/single-host, with paths replaced for this run.
from_example() {
  local folder=$1 file=$2; shift 2
  sed -e "s|/srv/backups/kopia|$home/repository|" -e "s|/srv/documents|$home/documents|" -e "s|change-me-before-the-first-backup|$password|" "$@" \
    "examples/single-host/$file" >"$home/new.yaml"
  mv "$home/new.yaml" "$home/$folder/$file"
}

make_sources() {
  step "Making some files to back up"
  mkdir -p "$home"/{documents/letters,documents/photos,manifests,foreign/files,history,next}
  date >"$home/.kopiur-quickstart"
  local i
  for i in 1 2 3 4 5 6; do head -c 200000 /dev/urandom >"$home/documents/photos/$i.raw"; done
  for i in $(seq 40); do printf 'Letter %d: %s\n' "$i" "$RANDOM$RANDOM" >"$home/documents/letters/$i.txt"; done
  : >"$home/documents/empty" && ln -s letters/1.txt "$home/documents/newest-letter" && chmod 640 "$home/documents/letters/2.txt"
  echo "a laptop's own files" >"$home/foreign/files/readme"
  good "$(find "$home/documents" -type f | wc -l) files in $home/documents"
}

write_manifests() {
  from_example manifests 1-password.yaml
  from_example manifests 2-repository.yaml -e 's/refreshInterval: 1h/refreshInterval: 30s/'
  from_example manifests 3-source.yaml
  from_example manifests 4-recipe.yaml -e '/^  retention:/,/^    timezone:/d'
  from_example manifests 5-schedule.yaml -e 's/cron: .*/cron: "* * * * *"/'
  sed -e 's/cron: "H \*\/6 \* \* \*"/cron: "* * * * *"/' examples/maintenance.yaml >"$home/manifests/6-maintenance.yaml"
  good "manifests in $home/manifests: password, repository, source, recipe, a schedule that fires each minute, maintenance"
}

# A month of history: one folder per day, and the last hours; the content changes from one to the next.
make_history() {
  local at i n=0
  history=()
  for i in $(seq 30 -1 1); do
    at=$(date -u -d "$i days ago" +%Y-%m-%dT03:00:00Z)
    n=$((n + 1)) && make_moment "$at" "$n"
  done
  for i in $(seq 12 -1 1); do
    at=$(date -u -d "$i hours ago" +%Y-%m-%dT%H:15:00Z)
    n=$((n + 1)) && make_moment "$at" "$n"
  done
}
make_moment() {
  local folder=$home/history/${1//:/-}
  mkdir -p "$folder/letters"
  cp "$home"/documents/letters/{1,2,3}.txt "$folder/letters/"
  printf 'The diary, page %d of %s\n' "$2" "$1" >"$folder/diary.txt"
  head -c 20000 /dev/urandom >"$folder/photo-$(($2 % 7)).raw"
  history+=(--at "$1" --from "$folder")
}

foreign_kopia() {
  KOPIA_PASSWORD=$password KOPIA_CHECK_FOR_UPDATES=false HOME=$home/foreign "$kopia" --config-file="$home/foreign/kopia.config" --log-dir="$home/foreign/logs" "$@" >>"$home/foreign/out.txt" 2>&1
}

bring_back() {
  k restore --config documents --to "$1" --name "$1" --wait --timeout 180 | sed 's/^/  /' || die "the Restore did not complete."
  local volume folder
  volume=$(field pvc "$1" spec.volumeName) && folder=$(field pv "$volume" spec.hostPath.path)
  [ -d "$folder" ] || die "the restored claim has no folder ($folder)."
  diff -r --no-dereference "$home/documents" "$folder" || die "what was restored into $folder is not what was backed up."
  good "every byte in $folder is that of $home/documents (diff -r finds nothing)"
}

pruned() {  # succeeds when every name in the file is gone
  local left
  left=$(k get backups | awk 'NR > 1 { print $1 }' | grep -Fxf "$1" || true)
  [ -z "$left" ]
}

remember() { for each in "Repository backups" "BackupConfig documents" "Backup $(names_of manual | head -1)" "Backup $(names_of discovered | head -1)" "Restore documents-restored"; do
  # shellcheck disable=SC2086
  printf '%s %s\n' "$each" "$(field $each metadata.uid)"; done >"$home/remembered"; }

second_start() {
  start_up
  step "Everything is unchanged"
  local kind name uid
  while read -r kind name uid; do
    [ "$(field "$kind" "$name" metadata.uid)" = "$uid" ] || die "$kind $name is not the one of the first start."
    good "$kind $name ($uid)"
  done <"$home/remembered"
  await 180 "the repository is Ready" k wait Repository backups --timeout 1
  show backup now documents --wait --timeout 180 || die "a Backup on the old repository failed."
  show status || true
  next_steps
}

next_steps() {
  step "What to type next"
  cat <<TEXT
  kopiur is stopped now; its data is in $home. Start it again and look around:

    export PATH=$bin:\$PATH KOPIUR_DATA=$home/data KOPIUR_KOPIA=$kopia KOPIUR_NATS_SERVER=${KOPIUR_NATS_SERVER:-nats-server}
    kopiur up --manifests $home/manifests &
    kopiur status                          # one screen
    kopiur backups                         # what there is
    kopiur backup now documents --wait     # one more
    kopiur restore --config documents --to elsewhere --wait
    kopiur explain retention documents     # what retention would delete, and why
    kopiur next                            # what runs when
    source <(kopiur completion bash)

  Your own: examples/README.md. This story again from the start: ./dev quickstart --clean
TEXT
}

for each in "$@"; do
  case $each in
    --clean)
      [ ! -e "$home" ] || [ -e "$home/.kopiur-quickstart" ] || die "$home was not made by the quickstart, so it is not removed."
      rm -rf "$home" ;;
    *) echo "usage: ./dev quickstart [--clean]" >&2; exit 2 ;;
  esac
done
[ -x "$bin/kopiur" ] && [ -x "$bin/kopiur-mover" ] || die "there is no kopiur in $bin. Build it with: ./dev build"
[ -n "$kopia" ] || die "kopia is not there. Get it with: ./dev setup"

if [ -e "$home/remembered" ]; then second_start; exit 0; fi
[ ! -e "$home" ] || [ -e "$home/.kopiur-quickstart" ] || die "$home is in the way: it was not made by the quickstart."
rm -rf "$home"

make_sources
write_manifests
start_up

step "kopiur creates the repository: its manifest allows it, and the location was empty"
k wait Repository backups --timeout 180 | sed 's/^/  /' || die "the repository did not become Ready."
[ -e "$home/repository/kopia.repository.f" ] || die "there is no kopia repository in $home/repository."
show get repositories

step "A backup by hand: a request on the bus, which any program can send"
show backup now documents --wait --timeout 180 || die "the Backup by hand failed."
has_backup_of manual || die "the Backup by hand is not in the list."

step "Another client writes to the same repository with kopia itself"
foreign_kopia repository connect filesystem --path "$home/repository" --cache-directory "$home/foreign/cache" --override-username laptop --override-hostname elsewhere ||
  die "kopia could not connect: $(tail -1 "$home/foreign/out.txt")"
foreign_kopia snapshot create "$home/foreign/files" || die "kopia could not make a snapshot: $(tail -1 "$home/foreign/out.txt")"
good "laptop@elsewhere has its own snapshot; kopiur finds it with the next list (every 30 s here)"

step "A month of history, imported with its original times: 30 days and 12 hours"
make_history
k import --config documents "${history[@]}" --wait --timeout 600 | sed 's/^/  /' || die "the import failed."
[ "$(names_of imported | wc -l)" -eq 42 ] || die "there are $(names_of imported | wc -l) imported Backups instead of 42."

step "A restore into a new volume, compared byte by byte"
bring_back documents-restored

step "What the schedules did meanwhile"
await 240 "the schedule has fired, and its Backup succeeded" has_backup_of scheduled
await 240 "the laptop's snapshot was discovered" has_backup_of discovered
await 240 "quick maintenance has run" is_set Maintenance backups status.quick.lastRunAt
show get schedules
show get maintenances

step "A preview of retention: what it would delete. The preview deletes nothing"
from_example next 4-recipe.yaml -e 's/keepMonthly: 12/keepMonthly: 2/'
show explain retention documents --file "$home/next/4-recipe.yaml"
k explain retention documents --file "$home/next/4-recipe.yaml" | awk '/T[0-9:]+Z .* delete / { print $1 }' >"$home/going"
going=$(wc -l <"$home/going")
[ "$going" -gt 20 ] || die "only $going Backups would be deleted, of more than 42: that cannot be right."

step "Retention is enabled in the manifest: it deletes those $going Backups and their snapshots"
mv "$home/next/4-recipe.yaml" "$home/manifests/4-recipe.yaml"
await 240 "the $going Backups are deleted" pruned "$home/going"
show backups
has_backup_of manual && has_backup_of discovered || die "retention has deleted what it must never delete."
good "the one by hand and the laptop's are kept: retention never deletes those"

step "Status"
show status || die "something is red."
show next --most 4
remember
stop_up
next_steps
printf '\n%sEvery step succeeded, in %d s.%s\n' "$green" "$((SECONDS - began))" "$plain"
