#!/usr/bin/env bash
# with_shared_node.sh COMMAND...: as with_node.sh, on a node on which others run their commands at the same time, each in a Kubernetes namespace of its
# own. Who shares it names the same folder in KOPIUR_SHARED_NODE; without one the node is ours alone, and so it is after a command has failed, which left
# its namespace there. The first that comes starts it, and it ends when nobody uses it any more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=${KOPIUR_SHARED_NODE:-}
[ -n "$place" ] && { [ "$1" = --hold ] || [ ! -e "$place/failed" ]; } || exec "$here/with_node.sh" "$@"

# hold: runs on the node, and ends when nobody holds `users`. Who comes holds `door` until he holds `users`.
if [ "$1" = --hold ]; then
  exec 7>"$place/door" 8>"$place/users"
  echo "$KOPIUR_TEST_API" >"$place/home"
  while :; do
    sleep 0.5
    flock 7
    ! flock --nonblock 8 || break
    flock --unlock 7
  done
  rm "$place/home"
  [ ! -e "$place/failed" ]  # then with_node.sh leaves its folder
  exit
fi

mkdir -p "$place"
exec 7>"$place/door" 8>"$place/users"
flock 7
flock --shared 8
if [ ! -e "$place/home" ]; then
  set -m  # a process group of its own: who ends one that uses it does not end the node
  "$here/with_node.sh" "$here/with_shared_node.sh" --hold >"$place/log" 2>&1 7>&- 8>&- &
  set +m
  node=$!
  until [ -e "$place/home" ]; do kill -0 "$node" || { cat "$place/log"; exit 1; }; sleep 0.2; done
fi
flock --unlock 7
home=$(cat "$place/home")
inside=$(cat "$home/namespaces.pid")
code=0
KOPIUR_TEST_API=$home nsenter --target "$inside" --mount --net --pid="/proc/$inside/ns/pid_for_children" "$@" 7>&- 8>&- || code=$?
[ "$code" = 0 ] || { touch "$place/failed"; echo "logs: $home"; }
exit "$code"
