# Functions for the scenarios of the driver kadm; lib.sh sources it.
: "${TOOLS_IMAGE:=apache/kafka:4.1.1}"

bootstrap() { sed -n '/seedBrokers: /{s/.*\[\(.*\)\].*/\1/p;q}' "$(configuration)"; }
# kafka TOOL ARGS...: Kafka's own kafka-TOOL.sh, as the administrator of the brokers uses it.
kafka() { in_pod "$TOOLS_IMAGE" '[{"name": "LOG_DIR", "value": "/tmp"}]' "/opt/kafka/bin/kafka-$1.sh" --bootstrap-server "$(bootstrap)" "${@:2}"; }
# topic_exists NAME: 1 when it does not. no_topic NAME: fails also when the brokers do not answer.
topic_exists() {
  local all
  all=$(kafka topics --list) || return 2
  grep -qxF -- "$1" <<<"$all"
}
no_topic() {
  local code=0
  topic_exists "$1" || code=$?
  [ "$code" = 1 ]
}
partitions_of() { kafka topics --describe --topic "$1" | sed -n 's/.*PartitionCount: \([0-9]*\).*/\1/p'; }
# has_partitions NAME N, has_setting NAME KEY VALUE (an own setting of the topic, not a default), has_records NAME N.
has_partitions() { [ "$(partitions_of "$1")" = "$2" ]; }
has_setting() { kafka configs --describe --entity-type topics --entity-name "$1" | has -E "^ *${2//./\\.}=$3 "; }
has_records() { [ "$(kafka get-offsets --topic "$1" | awk -F: 'NF == 3 {sum += $3} END {print sum + 0}')" = "$2" ]; }
