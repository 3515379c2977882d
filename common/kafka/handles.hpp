#pragma once
#include <librdkafka/rdkafka.h>

#include <memory>
#include <string>

#include "common/kafka/error.hpp"

/// librdkafka's objects, each with its owner.
namespace kopiur::kafka {

template <auto Destroy>
struct destroyed_by {
  template <class T>
  void operator()(T* one) const {
    Destroy(one);
  }
};
template <class T, auto Destroy>
using owned = std::unique_ptr<T, destroyed_by<Destroy>>;

using event_handle = std::shared_ptr<rd_kafka_event_t>;
using queue_handle = owned<rd_kafka_queue_t, rd_kafka_queue_destroy>;
using options_handle = owned<rd_kafka_AdminOptions_t, rd_kafka_AdminOptions_destroy>;
using error_handle = owned<rd_kafka_error_t, rd_kafka_error_destroy>;
using new_topic_handle = owned<rd_kafka_NewTopic_t, rd_kafka_NewTopic_destroy>;
using deleted_topic_handle = owned<rd_kafka_DeleteTopic_t, rd_kafka_DeleteTopic_destroy>;
using new_partitions_handle = owned<rd_kafka_NewPartitions_t, rd_kafka_NewPartitions_destroy>;
using resource_handle = owned<rd_kafka_ConfigResource_t, rd_kafka_ConfigResource_destroy>;
using names_handle = owned<rd_kafka_TopicCollection_t, rd_kafka_TopicCollection_destroy>;
using partitions_handle = owned<rd_kafka_topic_partition_list_t, rd_kafka_topic_partition_list_destroy>;

/// What a code of librdkafka or of a broker means. `said`: the sender's own text, or nullptr.
error error_of(rd_kafka_resp_err_t code, char const* said);

}  // namespace kopiur::kafka
