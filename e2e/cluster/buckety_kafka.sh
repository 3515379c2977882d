#!/usr/bin/env bash
# with_node.sh --plain buckety_kafka.sh: Buckety on a real cluster, installed by the chart, beside a real Kafka: the scenarios of examples/buckety, and a topic
# by TLS and a login. A tenant cannot get another's topic, the password is in Secrets only, the chart's rights suffice. While Kafka is down nothing is lost;
# what was asked for meanwhile is made when it is back.
export IMPLEMENTATIONS=kafka
source "$(dirname "${BASH_SOURCE[0]}")/buckety_chart.sh"
source "$root/e2e/kafka/server.sh"
need KAFKA
backend=kafka
host=kafka.kafka.svc.cluster.local
export OVERLAYS=$home/overlays

# overlay: the one of the examples, and the backend `secure`: another listener of the same brokers, with TLS and a login. (It counts as another cluster. For
# real, one cluster has one listener here: each backend takes the topics of the other for nobody's.)
overlay() {
  mkdir -p "$OVERLAYS"
  cp -r "$root/examples/buckety/overlays/kafka" "$OVERLAYS"
  cat >>"$OVERLAYS/kafka/buckety-controller.yaml" <<YAML
  - name: secure
    driver: kadm
    config:
      seedBrokers: ["$host:9093"]
      tls: {ca: $(jq -Rs . "$home/kafka/ca.crt")}
      sasl: {mechanism: SCRAM-SHA-512, username: kopiur, password: "\${KAFKA_PASSWORD}"}
YAML
}
# On the node nobody answers for names of Services, and Kafka tells every client this one.
name_on_node() {
  { cat /etc/hosts; echo "10.77.0.1 $host"; } >"$home/hosts"
  mount --bind "$home/hosts" /etc/hosts
}
run_kafka() {
  start_kafka "$home/kafka" 10.77.0.1 "$host" 9092 9093
  pids+=("$kafka")
}
in_topic() { kcat -b "$host:9092" -t "$@" 2>>"$home/kcat.log"; }

for each in services nats; do import_image "$each"; done
import_as kcat edenhill/kcat:1.7.1
import_as kafka apache/kafka:4.1.1
name_on_node
mkdir "$home/kafka" && echo "$canary" >"$home/kafka/password"
run_kafka
overlay
prepare
servers 1
kube create namespace kafka >>"$home/made"
service kafka kafka 9092 9093 | kube apply -f - >>"$home/made"
install_buckety "$OVERLAYS/kafka" KAFKA_PASSWORD="$canary"
run_scenarios

kube create namespace victim >>"$home/made"
buckety ledger victim ', name: "victim-ledger", parameters: {partitions: "2"}, defaultAccess: {credentialsSecretName: ledger}' | kube apply -f - >>"$home/made"
await 60 "the victim has a topic" ready_reason victim ledger EnsuredOnBackend
echo precious | in_topic victim-ledger -P
tenants_apart
backend=secure buckety sealed victim ', name: "victim-sealed", parameters: {partitions: "2", config.retention.ms: "600000"}' | kube apply -f - >>"$home/made"
await 60 "a topic by TLS and a login" ready_reason victim sealed EnsuredOnBackend
sealed_topic() { "$KOPIUR_KAFKA" topics --bootstrap-server "$host:9092" --describe --topic victim-sealed; }
sealed_topic | grep 'PartitionCount: 2.*retention.ms=600000' >/dev/null || die "it has other terms: $(sealed_topic)"
precious() { [ "$(in_topic victim-ledger -C -e -q)" = precious ] || die "the victim's record is gone"; }
precious

# While Kafka is down an object says so, and consumers keep their Secrets. What was asked for is done when it is back.
stop_kafka
buckety late victim ', name: "victim-late", parameters: {partitions: "3"}' | kube apply -f - >>"$home/made"
late_is() { of victim buckety late | jq -e --arg status "$1" '.status.conditions[] | select(.type == "Ready" and .status == $status)'; }
await 90 "an object says that Kafka does not answer" late_is False
of victim buckety late | jq -r '.status.conditions[] | select(.type == "Ready") | .reason + ": " + .message'
[ -n "$(kube -n victim get secret ledger --ignore-not-found -o name)" ] || die "an outage has removed a Secret"
run_kafka
await 120 "it is made when Kafka is back" ready_reason victim late EnsuredOnBackend
for each in ledger sealed; do await 60 "$each is Ready" ready_reason victim "$each" EnsuredOnBackend; done
precious
[ -z "$(kube -n victim get events --field-selector reason=ResourceMadeAgain -o name)" ] || die "a topic counts as deleted because Kafka was away"
kube -n victim delete bucketies --all --timeout=90s >>"$home/made" || die "the objects do not go"
! "$KOPIUR_KAFKA" topics --bootstrap-server "$host:9092" --list | grep victim || die "Delete has left a topic"
echo "ok: an outage of Kafka"

password_kept
rights_suffice
