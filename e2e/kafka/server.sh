# A real Kafka for a test: one process, broker and controller, without ZooKeeper. Source it after ../shell.sh.

# start_kafka FOLDER ADDRESS NAME PLAIN SECURE: starts it with its data, settings, log and certificate in FOLDER. It listens on ADDRESS, at the port
# PLAIN without TLS and login, at the port SECURE with both: the user kopiur, the password in FOLDER/password, the mechanisms PLAIN, SCRAM-SHA-256 and
# SCRAM-SHA-512, the authority in FOLDER/ca.crt. It tells its clients to use NAME, for which the certificate is too. A client that names a topic may
# create it so (auto.create.topics.enable). Sets $kafka to its process, which also ends
# with this script, and returns when it is ready.
start_kafka() {
  local folder=$1
  [ -x "${KOPIUR_KAFKA:-}" ] || die "there is no Kafka at KOPIUR_KAFKA (${KOPIUR_KAFKA:-it is not set}); ./dev part kafka installs it, with Java and Maven"
  mkdir -p "$folder"
  [ -s "$folder/password" ] || openssl rand -hex 12 >"$folder/password"
  [ -s "$folder/server.pem" ] || kafka_certificate "$folder" "$2" "$3"
  [ -s "$folder/properties" ] || kafka_properties "$@" "$(free_ports 1)" "$(cat "$folder/password")" >"$folder/properties"
  [ -d "$folder/data" ] || format_kafka "$folder" "$(cat "$folder/password")" >"$folder/format.log" 2>&1 || die "Kafka's storage cannot be formatted: $(tail -3 "$folder/format.log")"
  : >"$folder/log"
  setpriv --pdeathsig KILL "$KOPIUR_KAFKA" server "$folder/properties" >>"$folder/log" 2>&1 &
  kafka=$!
  await 60 "Kafka is ready at $2:$4" kafka_said "$kafka" "$folder/log" 'Kafka Server started'
}
# kafka_said PID LOG TEXT: the log has the text. The process must still run.
kafka_said() {
  kill -0 "$1" || { trap - ERR; die "Kafka has ended: $(tail -5 "$2")"; }
  grep -q "$3" "$2"
}
# stop_kafka: ends it, and returns when it has ended. It can be started again on the same folder.
stop_kafka() {
  kill -TERM "$kafka"
  wait "$kafka" || true
}

format_kafka() {
  "$KOPIUR_KAFKA" storage format --standalone -t "$("$KOPIUR_KAFKA" storage random-uuid)" -c "$1/properties" \
    --add-scram "SCRAM-SHA-256=[name=kopiur,password=$2]" --add-scram "SCRAM-SHA-512=[name=kopiur,password=$2]"
}
# kafka_certificate FOLDER ADDRESS NAME: an authority of the test's own, and the broker's key and certificate in the one file that Kafka reads.
kafka_certificate() (
  cd "$1"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=kafka-test-ca 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout server.key -out server.csr -subj "/CN=kafka" 2>/dev/null
  openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt \
    -extfile <(printf 'subjectAltName=IP:%s,%s:%s\n' "$2" "$([[ $3 =~ ^[0-9.]+$ ]] && echo IP || echo DNS)" "$3") 2>/dev/null
  cat server.key server.crt ca.crt >server.pem
)
# kafka_properties FOLDER ADDRESS NAME PLAIN SECURE CONTROLLER PASSWORD: prints the settings.
kafka_properties() {
  cat <<TEXT
process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://$2:$4,SASL_SSL://$2:$5,CONTROLLER://127.0.0.1:$6
advertised.listeners=PLAINTEXT://$3:$4,SASL_SSL://$3:$5
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=127.0.0.1:$6
ssl.keystore.type=PEM
ssl.keystore.location=$1/server.pem
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_ssl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_kopiur="$7";
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
auto.create.topics.enable=true
log.dirs=$1/data
num.partitions=1
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=4194304
TEXT
}
