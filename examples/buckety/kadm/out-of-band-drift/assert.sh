#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"
ready buckety metrics
topic=$(resource_of metrics)
alter() { kafka configs --alter --entity-type topics --entity-name "$topic" "$@" >/dev/null; }
alter --add-config retention.ms=1,max.message.bytes=2000
await 30 "the change is seen" has_setting "$topic" max.message.bytes 2000
await 90 "a setting that somebody changed is made right again" has_setting "$topic" retention.ms 600000
has_setting "$topic" max.message.bytes 2000 || die "a setting that the object does not name has changed"
alter --delete-config retention.ms
await 90 "one that somebody removed too" has_setting "$topic" retention.ms 600000
kafka topics --delete --topic "$topic" >/dev/null
await 90 "a topic that somebody deleted is made again" has_partitions "$topic" 2
await 30 "a Warning tells of it" event ResourceMadeAgain
has_setting "$topic" retention.ms 600000 || die "it is made again with other settings"
k delete secret metrics-topic >/dev/null
minted() { [ "$(value metrics-topic topic)" = "$topic" ]; }
await 60 "a deleted Secret is minted again" minted
k patch secret metrics-topic --type=merge -p '{"stringData":{"topic":"edited","of-a-user":"stays"}}' >/dev/null
await 60 "an edited one is made right" minted
[ "$(value metrics-topic of-a-user)" = stays ] || die "the key of a user is gone"
ready buckety metrics
kafka topics --alter --topic "$topic" --partitions 4 >/dev/null
await 60 "partitions that somebody added are drift" is buckety metrics ParameterDrift True/Unreconcilable
message buckety metrics ParameterDrift | has partitions || die "the parameter is not named"
k patch buckety metrics --type=merge -p '{"spec":{"parameters":{"partitions":"4"}}}' >/dev/null
ready buckety metrics
