#!/usr/bin/env bash
# with_names.sh COMMAND...: runs it in namespaces of its own for mounts and the network, in which the names of the tests' pods lead to
# loopback: OpenBao's members listen on port 8200, so each has an address. Nothing leads out.
if [ -z "${KOPIUR_OWN_NAMES:-}" ]; then  # a non-root user becomes root in a user namespace
  [ "$(id -u)" = 0 ] && map=() || map=(--map-root-user)
  KOPIUR_OWN_NAMES=1 exec unshare --mount --net "${map[@]}" bash "$0" "$@"
fi
set -euo pipefail
ip link set lo up
ip link add node0 type bridge && ip addr add 10.77.0.1/24 dev node0 && ip link set node0 up  # an API server looks for a default route
ip route add default dev node0
mount -t tmpfs names /mnt
{
  echo "127.0.0.1 localhost"
  for i in 0 1 2; do echo "127.0.1.$((i + 1)) bao-$i.bao.ns.svc"; echo "127.0.4.$((i + 1)) stub-$i.stub.ns.svc"; done
  echo "127.0.2.1 other-0.other.ns.svc"
} >/mnt/hosts
mount --bind /mnt/hosts /etc/hosts
exec "$@"
