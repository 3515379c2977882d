#!/usr/bin/env bash
# with_shared_node.sh COMMAND...: as with_node.sh, on a node that runs several commands at once, each in its own Kubernetes namespace.
# Commands share a node if they name the same folder in KOPIUR_SHARED_NODE. Without it, and after a command has failed (its namespace stays
# there), each gets a node of its own. The first command starts the node; it ends when no command uses it any more.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=${KOPIUR_SHARED_NODE:-}
[ -n "$place" ] && { [ "$1" = --hold ] || [ ! -e "$place/failed" ]; } || exec "$here/with_node.sh" "$@"

# hold: runs on the node, and ends when no process has a lock on `users`. A new user locks `door` until it has locked `users`.
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
  [ ! -e "$place/failed" ]  # then with_node.sh keeps its folder
  exit
fi

mkdir -p "$place"
exec 7>"$place/door" 8>"$place/users"
flock 7
flock --shared 8
if [ ! -e "$place/home" ]; then
  set -m  # a separate process group: ending one command does not end the node
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
