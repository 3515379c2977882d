#!/usr/bin/env bash
# Topics on Apache Kafka, over TLS with a login. The broker is killed in the middle of creations, and halted so that it accepts and never answers; others
# grow and delete topics with Kafka's own programs. In the end only topics that kopiur knows to have made are deleted.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
source "$root/e2e/kafka/server.sh"
mkdir -p "$home"/{manifests,config}
read -r plain secure < <(free_ports 2)
start_kafka "$home/kafka" 127.0.0.1 127.0.0.1 "$plain" "$secure"
background+=("$kafka")
cat >"$home/config/buckety-controller.yaml" <<YAML
backends:
  - name: kafka
    driver: kadm
    config:
      seedBrokers: ["127.0.0.1:$secure"]
      tls:
        ca: |
$(sed 's/^/          /' "$home/kafka/ca.crt")
      sasl: {mechanism: SCRAM-SHA-512, username: kopiur, password: "\${KAFKA_PASSWORD}"}
YAML
# others COMMAND...: with Kafka's own programs. `topics`: their names.
others() { "$KOPIUR_KAFKA" "$1" --bootstrap-server "127.0.0.1:$plain" "${@:2}" 2>>"$home/others.txt"; }
topics() { others topics --list | sort | paste -sd' '; }
partitions_of() { others topics --describe --topic "$1" | grep -oE 'PartitionCount: [0-9]+' | cut -d' ' -f2; }
buckety() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: Buckety\nmetadata: {name: %s, namespace: default}\nspec: {backend: kafka, retentionPolicy: Delete%s}\n' "$1" "${2:+, $2}"; }
reason_is() { [ "$(ready_condition "$1" "$2" reason)" = "$3" ]; }
ready() { await 90 "$1 is Ready" reason_is buckety "$1" EnsuredOnBackend; }
apply() { "$@" >"$home/one.yaml" && k apply -f "$home/one.yaml" >>"$home/applied.txt"; }
deleted() { k delete buckety "$@" >>"$home/applied.txt" && for each in "$@"; do await 90 "$each is deleted" gone buckety "$each"; done; }

KAFKA_PASSWORD=$(cat "$home/kafka/password")
export KAFKA_PASSWORD KOPIUR_RECHECK=3
start_up --config "$home/config"
await 30 "kopiur is up" k get buckety
apply buckety orders 'parameters: {partitions: "2", replicationFactor: "1", config.cleanup.policy: compact}, defaultAccess: {credentialsSecretName: orders-topic}'
ready orders
[ "$(partitions_of orders)" = 2 ] || die "orders has $(partitions_of orders) partitions"
apply buckety wide 'parameters: {replicationFactor: "3"}'
await 60 "a replication factor beyond the brokers is refused" reason_is buckety wide EnsureFailed
says "$(ready_condition buckety wide message)" INVALID_REPLICATION_FACTOR

others topics --alter --topic orders --partitions 5
await 60 "partitions that others added are told" reason_is buckety orders ParameterDrift
says "$(ready_condition buckety orders message)" partitions 5
apply buckety orders 'parameters: {partitions: "5", replicationFactor: "1", config.cleanup.policy: compact}, defaultAccess: {credentialsSecretName: orders-topic}'
ready orders
others configs --alter --entity-type topics --entity-name orders --add-config cleanup.policy=delete >>"$home/applied.txt"
compacted() { others configs --describe --entity-type topics --entity-name orders | grep -q cleanup.policy=compact; }
await 60 "a setting that others changed is set again" compacted
others topics --delete --topic orders
made_again() { [ "$(partitions_of orders)" = 5 ] && compacted; }
await 60 "a topic that others deleted is made again" made_again
ready orders
is buckety orders status.provenance Created || die "orders is called $(field buckety orders status.provenance)"

# A broker that accepts and never answers.
kill -STOP "$kafka"
apply buckety late
await 90 "a broker that never answers is told" reason_is buckety late InspectFailed
says "$(ready_condition buckety late message)" "has not answered"
kill -CONT "$kafka"
ready late

# A broker that is killed while topics are made: each is there in the end, and nobody says that kopiur made one of which it cannot know that.
many=$(seq -f 'many-%02g' 24)
for each in $many; do buckety "$each"; done >"$home/many.yaml"
k apply -f "$home/many.yaml" >>"$home/applied.txt"
some() { [ "$(ls -d "$home"/kafka/data/many-* 2>/dev/null | wc -l)" -ge 3 ]; }
until some; do sleep 0.01; done
kill -KILL "$kafka"; wait "$kafka" 2>/dev/null || true
made=$(ls -d "$home"/kafka/data/many-* | wc -l)
start_kafka "$home/kafka" 127.0.0.1 127.0.0.1 "$plain" "$secure"
background+=("$kafka")
for each in $many; do ready "$each"; done
adopted=$(for each in $many; do ! is buckety "$each" status.provenance Adopted || echo "$each"; done)
echo "ok: killed when $made of 24 topics were made; $(wc -w <<<"$adopted") of them are not known to be ours"
# shellcheck disable=SC2086
deleted $many orders late wide
left=$(topics)
[ "$left" = "$(paste -sd' ' <<<"$adopted")" ] || die "the topics $left are left, and adopted were: $adopted"
echo "ok: the topics that kopiur has made are gone, and no others"
stop_up
found=$(grep -rlF -e "$KAFKA_PASSWORD" -- "$data" || true)
[ -z "$found" ] || die "the password is in $found"
