#!/usr/bin/env bash
# Kafka topics on one host, on a cluster that speaks TLS, asks for a login, makes topics that are named, and fails when it is told to: what a Buckety asks
# for is made, grown and set; what others do is made right again or told; every refusal is heard; what kopiur did not make it never deletes.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
mkdir -p "$home"/{manifests,config}
canary=kafka-password-$RANDOM$RANDOM$RANDOM
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=kafka -addext subjectAltName=IP:127.0.0.1 -keyout "$home/key.pem" -out "$home/ca.pem" 2>/dev/null
"$KOPIUR_KFAKE" --auto-create --brokers 3 --sasl "admin:$canary" --tls-cert "$home/ca.pem" --tls-key "$home/key.pem" >"$home/kfake.txt" 2>&1 & background+=($!)
await 20 "a Kafka cluster" grep -q control "$home/kfake.txt"
read -r _ seeds _ control <"$home/kfake.txt"
python3 -c 'import socket
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
held = []
while True: held.append(server.accept())' >"$home/dead" & background+=($!)
await 20 "a broker that never answers" test -s "$home/dead"
cat >"$home/config/buckety-controller.yaml" <<YAML
backends:
  - name: kafka
    driver: kadm
    config:
      seedBrokers: [${seeds//,/, }]
      clientID: kopiur-story
      tls:
        ca: |
$(sed 's/^/          /' "$home/ca.pem")
      sasl: {mechanism: SCRAM-SHA-512, username: admin, password: "\${KAFKA_PASSWORD}"}
    defaults: {zone: local}
  - name: silent
    driver: kadm
    config: {seedBrokers: ["127.0.0.1:$(cat "$home/dead")"]}
YAML

# others VERB TARGET: what others do with the cluster, or what it does wrong.
others() { curl -sS --fail-with-body -X "$1" "http://$control$2" >"$home/others.txt" || die "kfake: $1 $2: $(cat "$home/others.txt")"; }
# served TOPIC FILTER: prints what the cluster has.
served() { curl -sS "http://$control/topics" | jq -r --arg topic "$1" ".[\$topic] | $2"; }
serves() { [ "$(served "$1" "$2")" = "$3" ]; }
requested() { curl -sS "http://$control/requests" | jq -c '{CreateTopics, CreatePartitions, IncrementalAlterConfigs, DeleteTopics}'; }
# buckety NAME [SPEC...]
buckety() { printf -- '---\napiVersion: buckety.yolean.se/v1alpha1\nkind: Buckety\nmetadata: {name: %s, namespace: default}\nspec: {%s}\n' "$1" "${2:-backend: kafka}"; }
reason_is() { [ "$(ready_condition "$1" "$2" reason)" = "$3" ]; }
ready() { await 60 "$1 is Ready" reason_is buckety "$1" EnsuredOnBackend; }
apply() { "$@" >"$home/one.yaml" && k apply -f "$home/one.yaml" >>"$home/applied.txt"; }
# orders PARAMETERS
orders() { buckety orders "backend: kafka, name: 'orders.\${backend.zone}', retentionPolicy: Delete, parameters: {$1}, defaultAccess: {credentialsSecretName: orders-topic}"; }
{
  orders 'partitions: "2", config.retention.ms: "1000"'
  buckety never 'backend: silent'
} >"$home/manifests/all.yaml"

export KOPIUR_RECHECK=3 KAFKA_PASSWORD=$canary
start_up --config "$home/config"
ready orders
serves orders.local .partitions 2 && serves orders.local '.configs["retention.ms"]' 1000 || die "the topic is $(served orders.local .)"
is buckety orders status.provenance Created && is buckety orders status.driver kadm || die "$(k get buckety orders)"
eval "$(k get secret orders-topic --env)"
[ "$bootstrap" = "$seeds" ] && [ "$topic" = orders.local ] || die "the Secret says: $(k get secret orders-topic --env)"
[ "$(ls "$data/secrets/default/orders-topic" | paste -sd' ')" = "bootstrap topic" ] || die "the Secret has $(ls "$data/secrets/default/orders-topic")"
is bucketyaccess orders status.principal kadm-root || die "the principal is $(field bucketyaccess orders status.principal)"
echo "ok: a topic and its Secret, over TLS with a login"
before=$(requested)
rechecked() { [ "$(curl -sS "http://$control/requests" | jq .Metadata)" -gt $((looks + 4)) ]; }
looks=$(curl -sS "http://$control/requests" | jq .Metadata)
await 60 "it is looked at again and again" rechecked
[ "$(requested)" = "$before" ] || die "a look without a difference has written: $before, then $(requested)"
await 90 "the silent backend is reported" reason_is buckety never InspectFailed
says "$(ready_condition buckety never message)" "has not answered"

# Changes of the object: growth and settings. Kafka refuses the growth first, inside an answer that is fine itself.
others POST '/fault?kind=error&api=CreatePartitions&code=37&count=1000'
apply orders 'partitions: "4", config.retention.ms: "2000"'
await 60 "a refused growth is heard" reason_is buckety orders EnsureFailed
says "$(ready_condition buckety orders message)" INVALID_PARTITIONS orders.local
others DELETE /fault
await 60 "the topic grows at the next try" serves orders.local .partitions 4
await 60 "its setting follows" serves orders.local '.configs["retention.ms"]' 2000
ready orders
apply orders 'partitions: "1", config.retention.ms: "2000"'
await 60 "a topic never shrinks" reason_is buckety orders ParameterDrift
says "$(ready_condition buckety orders message)" partitions 4
apply orders 'partitions: "4", config.retention.ms: "2000"'
ready orders
! apply orders 'partitions: "4", replicationFactor: "1"' 2>"$home/refused.txt" || die "the replication factor was changed"
says "$(cat "$home/refused.txt")" replicationFactor immutable

# Others.
others POST '/topics/orders.local/config?key=retention.ms&value=5'
await 60 "a setting that others changed is set again" serves orders.local '.configs["retention.ms"]' 2000
others POST '/topics/orders.local/partitions?count=6'
await 60 "partitions that others added are told" reason_is buckety orders ParameterDrift
apply orders 'partitions: "6", config.retention.ms: "2000"'
ready orders
others DELETE /topics/orders.local
await 60 "a topic that others deleted is made again" serves orders.local .partitions 6
ready orders
is buckety orders status.provenance Created || die "it is called $(field buckety orders status.provenance)"
others POST '/topics/full?partitions=1'; others POST '/topics/full/records?n=3'; others POST '/topics/empty?partitions=1'
apply buckety full 'backend: kafka'
await 60 "a topic with records is refused" reason_is buckety full BackendResourceExists
apply buckety adopter 'backend: kafka, name: full, adoption: Adopt, retentionPolicy: Delete'
apply buckety empty 'backend: kafka, retentionPolicy: Delete'
apply buckety thief 'backend: kafka, name: orders.local, retentionPolicy: Delete'
ready adopter; ready empty
await 60 "the name of another is refused" reason_is buckety thief BackendResourceExists
for each in adopter empty; do is buckety "$each" status.provenance Adopted || die "$each is not called adopted"; done

# A creation that is carried out and never answered (after two that only check): nobody may say who made the topic.
others POST '/fault?kind=after&api=CreateTopics&skip=2'
apply buckety doubtful 'backend: kafka, retentionPolicy: Delete'
ready doubtful
is buckety doubtful status.provenance Adopted || die "doubtful is called $(field buckety doubtful status.provenance)"
apply buckety wide 'backend: kafka, parameters: {replicationFactor: "9"}'
await 60 "a replication factor that the cluster cannot have is refused" reason_is buckety wide EnsureFailed
says "$(ready_condition buckety wide message)" INVALID_REPLICATION_FACTOR

others POST '/fault?kind=error&api=DeleteTopics&code=73&count=1000'
k delete buckety full adopter empty thief doubtful wide never orders >>"$home/applied.txt"
await 60 "a refused deletion is heard" reason_is buckety orders DeleteFailed
serves orders.local .partitions 6 || die "its topic is gone"
others DELETE /fault
for each in full adopter empty thief doubtful wide never orders; do await 90 "$each is deleted" gone buckety "$each"; done
await 30 "the topic that it made is gone" serves orders.local . null
for each in full empty doubtful; do [ "$(served "$each" .)" != null ] || die "$each was deleted, and nobody knows that kopiur made it"; done
serves full .records 3 || die "the records of somebody else are gone"
[ "$(curl -sS "http://$control/topics" | jq -r 'keys | join(" ")')" = "doubtful empty full" ] || die "there are $(curl -sS "http://$control/topics" | jq -c keys)"
echo "ok: what kopiur did not make is still there, and no look has made a topic"
stop_up
found=$(grep -rlF -e "$canary" -- "$data" || true)
[ -z "$found" ] || die "the password is in $found"
echo "ok: no secret on the bus, in a status, an Event, a Secret or the journal"
