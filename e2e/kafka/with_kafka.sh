#!/usr/bin/env bash
# with_kafka.sh COMMAND...: runs it beside a real Kafka on loopback, which ends with it. The command finds KOPIUR_TEST_KAFKA=HOST:PORT (without TLS and login),
# KOPIUR_TEST_KAFKA_SECURE=HOST:PORT and KOPIUR_TEST_KAFKA_HOME, the folder of server.sh with ca.crt and password.
set -Eeuo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../shell.sh"
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"
die() { echo "FAILED: $*" >&2; exit 1; }
home=$(mktemp -d "${TMPDIR:-/tmp}/kopiur-kafka-XXXXXX") kafka=''
the_end() {
  local code=$?
  [ -z "$kafka" ] || { kill -KILL "$kafka" 2>/dev/null; wait "$kafka" 2>/dev/null; } || true  # nothing of it is kept
  if [ "$code" = 0 ]; then rm -rf "$home"; else echo "Kafka's log: $home/log" >&2; fi
  exit "$code"
}
trap the_end EXIT
trap 'exit 143' TERM
read -r plain secure < <(free_ports 2)
start_kafka "$home" 127.0.0.1 127.0.0.1 "$plain" "$secure"
KOPIUR_TEST_KAFKA=127.0.0.1:$plain KOPIUR_TEST_KAFKA_SECURE=127.0.0.1:$secure KOPIUR_TEST_KAFKA_HOME=$home "$@"
