package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// The configuration of a topic in Kafka 4.1.
var topicConfigs = strings.Fields(`cleanup.policy compression.gzip.level compression.lz4.level compression.type compression.zstd.level
	delete.retention.ms file.delete.delay.ms flush.messages flush.ms follower.replication.throttled.replicas index.interval.bytes
	leader.replication.throttled.replicas local.retention.bytes local.retention.ms max.compaction.lag.ms max.message.bytes
	message.timestamp.after.max.ms message.timestamp.before.max.ms message.timestamp.type min.cleanable.dirty.ratio min.compaction.lag.ms
	min.insync.replicas preallocate remote.log.copy.disable remote.log.delete.on.disable remote.storage.enable retention.bytes retention.ms
	segment.bytes segment.index.bytes segment.jitter.ms segment.ms unclean.leader.election.enable`)

// valid tells whether Kafka takes the value: the key is known, and what is measured in ms or bytes is a number.
func valid(name string, value *string) bool {
	if !slices.Contains(topicConfigs, name) {
		return false
	}
	if value == nil || !strings.HasSuffix(name, ".ms") && !strings.HasSuffix(name, ".bytes") {
		return true
	}
	_, err := strconv.ParseInt(*value, 10, 64)
	return err == nil
}

// beStrict makes the cluster refuse what Kafka refuses and the cluster of franz-go takes: a configuration that is unknown or no number, and a number of
// partitions that is there already.
func beStrict(cluster *kfake.Cluster) {
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.CreateTopics, kmsg.IncrementalAlterConfigs}, Err: kerr.InvalidConfig, Count: -1, When: invalidConfig})
	cluster.ControlKey(kmsg.CreatePartitions.Int16(), func(request kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		asked := request.(*kmsg.CreatePartitionsRequest)
		response := asked.ResponseKind().(*kmsg.CreatePartitionsResponse)
		for _, each := range asked.Topics {
			if len(cluster.PartitionInfos(each.Topic)) != int(each.Count) {
				return nil, nil, false
			}
			refused := kmsg.NewCreatePartitionsResponseTopic()
			refused.Topic, refused.ErrorCode = each.Topic, kerr.InvalidPartitions.Code
			response.Topics = append(response.Topics, refused)
		}
		return response, nil, true
	})
}

func invalidConfig(request kmsg.Request) bool {
	switch asked := request.(type) {
	case *kmsg.CreateTopicsRequest:
		for _, topic := range asked.Topics {
			for _, each := range topic.Configs {
				if !valid(each.Name, each.Value) {
					return true
				}
			}
		}
	case *kmsg.IncrementalAlterConfigsRequest:
		for _, resource := range asked.Resources {
			for _, each := range resource.Configs {
				if resource.ResourceType == kmsg.ConfigResourceTypeTopic && !valid(each.Name, each.Value) {
					return true
				}
			}
		}
	}
	return false
}
