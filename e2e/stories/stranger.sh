#!/usr/bin/env bash
# nats-server is killed, and a stranger takes its port. Nobody of kopiur calls there: the bus comes back at another port with another login,
# kopiur and a client that waits find it, and so does a new client. A client with an outdated address gives the stranger a signature, no
# seed; the old login is good for nothing.
slow_kopia=yes  # leaves time to kill the bus while a client waits
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
plain_manifests
start_up
await 60 "the repository is Ready" is repository main status.phase Ready
mkdir -p "$home/old/bus"
cp "$data/bus/access.json" "$home/old/bus/access.json"
old=$(jq -r .url "$home/old/bus/access.json")
seed=$(jq -r .seed "$home/old/bus/access.json")

k backup now docs --wait >"$home/waits" 2>&1 &
waiting=$!
mover_of backup >>"$home/asked" || die "no mover came"
python3 "$root/e2e/stories/stranger.py" "${old##*:}" "$home/stranger" 2>>"$home/stranger.err" &
background+=($!)
victim=$(bus_pid)
kill -9 "$victim"
await 20 "the stranger has the port" grep -q listens "$home/stranger"
moved() { local url; url=$(jq -r .url "$data/bus/access.json" 2>/dev/null) && [ -n "$url" ] && [ "$url" != "$old" ]; }
await 20 "the bus is back at another port" moved
[ "$(jq -r .seed "$data/bus/access.json")" != "$seed" ] || die "the bus came back with the old login"
wait "$waiting" || die "the client that waited says: $(cat "$home/waits")"
await 20 "a new client is answered" k get repositories
[ -n "$(backup_now)" ] || die "no Backup after the bus came back"
each_once 2
[ "$(cat "$home/stranger")" = listens ] || die "the stranger was told: $(cat "$home/stranger")"
echo "ok: the bus has moved, and nobody called the stranger"

said=$("$bin/kopiur" --data "$home/old" get repositories 2>&1) && die "a client with an outdated address got an answer: $said"
grep -q '^CONNECT .*"sig"' "$home/stranger" || die "the client with the outdated address sent no signature: $(cat "$home/stranger")"
! grep -q "$seed" "$home/stranger" || die "the stranger was told the seed"
jq --arg url "$(jq -r .url "$data/bus/access.json")" '.url = $url' "$home/old/bus/access.json" >"$home/forged" && mv "$home/forged" "$home/old/bus/access.json"
said=$("$bin/kopiur" --data "$home/old" get repositories 2>&1) && die "the old login is still good: $said"
says "$said" "Authorization Violation"
echo "ok: what the stranger learns is good for nothing"
stop_up
[ ! -e "$data/bus/access.json" ] || die "kopiur has ended, and its address is still there"
