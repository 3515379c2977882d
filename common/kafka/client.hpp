#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "common/kafka/connection.hpp"
#include "common/kafka/error.hpp"

namespace kopiur::kafka {

class session;

struct topic_state {
  std::vector<std::size_t> replicas;  ///< of each partition
};
struct new_topic {
  std::string name;
  std::optional<std::int32_t> partitions{};          ///< none: the broker's default
  std::optional<std::int16_t> replication_factor{};  ///< none: the broker's default
  std::map<std::string, std::string> settings{};
};

/// Administers the topics of a cluster. Nothing here makes a topic but create(). An error of one topic, partition or setting is the error
/// of the call. All calls can be cancelled: what was sent may then still be done.
class client {
 public:
  template <class T>
  using answer = boost::asio::awaitable<outcome<T>>;
  /// Each call ends after this.
  static constexpr std::chrono::milliseconds limit{8'000};

  /// Connects when it is first used. What librdkafka does not take (a certificate that is none) is the error of each call.
  client(boost::asio::any_io_executor loop, connection const& target, std::chrono::milliseconds longest = limit);
  ~client();

  /// Nothing: the broker that was asked does not know it. Brokers learn of a new topic one after the other.
  answer<std::optional<topic_state>> look_at(std::string topic);
  /// Whether the controller of the cluster knows it: asks for a creation without carrying it out, so the login needs that right.
  answer<bool> is_known(std::string topic);
  answer<bool> has_records(std::string topic, std::size_t partitions);
  /// The settings in effect by Kafka's names, the broker's defaults too; none for a value that Kafka does not show.
  answer<std::map<std::string, std::optional<std::string>>> settings_of(std::string topic);
  /// failure::exists: there was one.
  answer<void> create(new_topic what);
  /// `total`: how many there are then.
  answer<void> add_partitions(std::string topic, std::int32_t total);
  /// Sets these; all others stay as they are.
  answer<void> set(std::string topic, std::map<std::string, std::string> settings);
  /// failure::absent: there was none.
  answer<void> remove(std::string topic);

 private:
  answer<void> send_creation(new_topic what, bool only_check);
  answer<std::vector<std::int64_t>> offsets(std::string topic, std::size_t partitions, std::int64_t which);

  std::unique_ptr<session> session_;
};

}  // namespace kopiur::kafka
