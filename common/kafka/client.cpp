#include "common/kafka/client.hpp"

#include <algorithm>

#include "common/kafka/session.hpp"

namespace kopiur::kafka {

namespace {

/// Each request is about one topic, and so is the result.
template <class T>
outcome<T const*> only(T const** all, std::size_t count) {
  if (count != 1) return std::unexpected(error{failure::refused, "Kafka's answer is about another number of topics than one."});
  return all[0];
}
/// The error of the topic or resource of a result.
outcome<void> settled(rd_kafka_topic_result_t const** results, std::size_t count) {
  auto one = only(results, count);
  if (!one) return std::unexpected(one.error());
  if (auto code = rd_kafka_topic_result_error(*one)) return std::unexpected(error_of(code, rd_kafka_topic_result_error_string(*one)));
  return {};
}
outcome<rd_kafka_ConfigResource_t const*> settled(rd_kafka_ConfigResource_t const** resources, std::size_t count) {
  auto one = only(resources, count);
  if (!one) return one;
  if (auto code = rd_kafka_ConfigResource_error(*one)) return std::unexpected(error_of(code, rd_kafka_ConfigResource_error_string(*one)));
  return one;
}

outcome<new_topic_handle> handle_of(new_topic const& what) {
  char reason[256]{};
  new_topic_handle one(
      rd_kafka_NewTopic_new(what.name.c_str(), what.partitions.value_or(-1), what.replication_factor.value_or(-1), reason, sizeof reason));
  if (!one) return std::unexpected(error{failure::refused, std::string(reason) + "."});
  for (auto& [name, value] : what.settings)
    if (auto code = rd_kafka_NewTopic_set_config(one.get(), name.c_str(), value.c_str()))
      return std::unexpected(error_of(code, ("config." + name).c_str()));
  return one;
}

}  // namespace

client::client(boost::asio::any_io_executor loop, connection const& target, std::chrono::milliseconds longest)
    : session_(std::make_unique<session>(std::move(loop), target, longest)) {}
client::~client() = default;

auto client::look_at(std::string topic) -> answer<std::optional<topic_state>> {
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_DESCRIBETOPICS}, [&](auto* handle, auto* options, auto* queue) {
    char const* name = topic.c_str();
    names_handle names(rd_kafka_TopicCollection_of_topic_names(&name, 1));
    rd_kafka_DescribeTopics(handle, names.get(), options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** topics = rd_kafka_DescribeTopics_result_topics(rd_kafka_event_DescribeTopics_result(event->get()), &count);
  auto described = only(topics, count);
  if (!described) co_return std::unexpected(described.error());
  auto* failed = rd_kafka_TopicDescription_error(*described);
  if (auto code = rd_kafka_error_code(failed)) {
    auto why = error_of(code, rd_kafka_error_string(failed));
    if (why.kind == failure::absent) co_return std::nullopt;
    co_return std::unexpected(std::move(why));
  }
  auto** partitions = rd_kafka_TopicDescription_partitions(*described, &count);
  topic_state there{.replicas = std::vector<std::size_t>(count)};
  for (std::size_t i = 0; i < count; ++i) rd_kafka_TopicPartitionInfo_replicas(partitions[i], &there.replicas[i]);
  co_return there;
}

auto client::is_known(std::string topic) -> answer<bool> {
  auto checked = co_await send_creation({.name = std::move(topic)}, true);
  if (!checked && checked.error().kind == failure::exists) co_return true;
  bool no_answer = !checked && checked.error().kind != failure::refused;
  if (no_answer) co_return std::unexpected(checked.error());
  co_return false;  // it would be made, or refused for what it lacks
}

auto client::offsets(std::string topic, std::size_t partitions, std::int64_t which) -> answer<std::vector<std::int64_t>> {
  partitions_handle wanted(rd_kafka_topic_partition_list_new(static_cast<int>(partitions)));
  for (std::size_t i = 0; i < partitions; ++i)
    rd_kafka_topic_partition_list_add(wanted.get(), topic.c_str(), static_cast<std::int32_t>(i))->offset = which;
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_LISTOFFSETS}, [&](auto* handle, auto* options, auto* queue) {
    rd_kafka_ListOffsets(handle, wanted.get(), options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** infos = rd_kafka_ListOffsets_result_infos(rd_kafka_event_ListOffsets_result(event->get()), &count);
  std::vector<std::int64_t> all(partitions, -1);
  for (std::size_t i = 0; i < count; ++i) {
    auto* one = rd_kafka_ListOffsetsResultInfo_topic_partition(infos[i]);
    if (one->err) co_return std::unexpected(error_of(one->err, nullptr));
    if (one->partition >= 0 && static_cast<std::size_t>(one->partition) < partitions)
      all[static_cast<std::size_t>(one->partition)] = one->offset;
  }
  if (std::ranges::any_of(all, [](auto each) { return each < 0; }))
    co_return std::unexpected(error{failure::refused, "Kafka does not say where each partition begins and ends."});
  co_return all;
}

auto client::has_records(std::string topic, std::size_t partitions) -> answer<bool> {
  auto first = co_await offsets(topic, partitions, RD_KAFKA_OFFSET_SPEC_EARLIEST);
  if (!first) co_return std::unexpected(first.error());
  auto end = co_await offsets(topic, partitions, RD_KAFKA_OFFSET_SPEC_LATEST);
  if (!end) co_return std::unexpected(end.error());
  for (std::size_t i = 0; i < partitions; ++i)
    if ((*end)[i] > (*first)[i]) co_return true;
  co_return false;
}

auto client::settings_of(std::string topic) -> answer<std::map<std::string, std::optional<std::string>>> {
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS}, [&](auto* handle, auto* options, auto* queue) {
    resource_handle resource(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
    auto* one = resource.get();
    rd_kafka_DescribeConfigs(handle, &one, 1, options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** resources = rd_kafka_DescribeConfigs_result_resources(rd_kafka_event_DescribeConfigs_result(event->get()), &count);
  auto resource = settled(resources, count);
  if (!resource) co_return std::unexpected(resource.error());
  auto** entries = rd_kafka_ConfigResource_configs(*resource, &count);
  std::map<std::string, std::optional<std::string>> all;
  for (std::size_t i = 0; i < count; ++i) {
    auto* value = rd_kafka_ConfigEntry_value(entries[i]);
    all[rd_kafka_ConfigEntry_name(entries[i])] = value ? std::optional<std::string>(value) : std::nullopt;
  }
  co_return all;
}

auto client::create(new_topic what) -> answer<void> { return send_creation(std::move(what), false); }

auto client::send_creation(new_topic what, bool only_check) -> answer<void> {
  auto topic = handle_of(what);
  if (!topic) co_return std::unexpected(topic.error());
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_CREATETOPICS, true, only_check}, [&](auto* handle, auto* options, auto* queue) {
    auto* one = topic->get();
    rd_kafka_CreateTopics(handle, &one, 1, options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event->get()), &count);
  co_return settled(results, count);
}

auto client::add_partitions(std::string topic, std::int32_t total) -> answer<void> {
  char reason[256]{};
  new_partitions_handle wanted(rd_kafka_NewPartitions_new(topic.c_str(), static_cast<std::size_t>(total), reason, sizeof reason));
  if (!wanted) co_return std::unexpected(error{failure::refused, std::string(reason) + "."});
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_CREATEPARTITIONS, true}, [&](auto* handle, auto* options, auto* queue) {
    auto* one = wanted.get();
    rd_kafka_CreatePartitions(handle, &one, 1, options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** results = rd_kafka_CreatePartitions_result_topics(rd_kafka_event_CreatePartitions_result(event->get()), &count);
  co_return settled(results, count);
}

auto client::set(std::string topic, std::map<std::string, std::string> settings) -> answer<void> {
  resource_handle resource(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
  for (auto& [name, value] : settings)
    if (error_handle failed{
            rd_kafka_ConfigResource_add_incremental_config(resource.get(), name.c_str(), RD_KAFKA_ALTER_CONFIG_OP_TYPE_SET, value.c_str())})
      co_return std::unexpected(error_of(rd_kafka_error_code(failed.get()), rd_kafka_error_string(failed.get())));
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_INCREMENTALALTERCONFIGS}, [&](auto* handle, auto* options, auto* queue) {
    auto* one = resource.get();
    rd_kafka_IncrementalAlterConfigs(handle, &one, 1, options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** resources = rd_kafka_IncrementalAlterConfigs_result_resources(rd_kafka_event_IncrementalAlterConfigs_result(event->get()), &count);
  auto said = settled(resources, count);
  if (!said) co_return std::unexpected(said.error());
  co_return outcome<void>{};
}

auto client::remove(std::string topic) -> answer<void> {
  deleted_topic_handle wanted(rd_kafka_DeleteTopic_new(topic.c_str()));
  auto event = co_await session_->ask({RD_KAFKA_ADMIN_OP_DELETETOPICS, true}, [&](auto* handle, auto* options, auto* queue) {
    auto* one = wanted.get();
    rd_kafka_DeleteTopics(handle, &one, 1, options, queue);
  });
  if (!event) co_return std::unexpected(event.error());
  std::size_t count = 0;
  auto** results = rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event->get()), &count);
  co_return settled(results, count);
}

}  // namespace kopiur::kafka
