#pragma once
#include "common/kafka/client.hpp"
#include "common/time/clock.hpp"
#include "services/provisioner/shell/driver.hpp"
#include "services/systems/buckety/kadm/changes.hpp"

namespace kopiur::provisioner {

/// Topics of a Kafka cluster.
class kadm_driver final : public driver {
 public:
  kadm_driver(clock& time, std::unique_ptr<kafka::client> client) : time_(time), client_(std::move(client)) {}

  answer<buckety::inspection> inspect(std::string name, bool content) override;
  answer<buckety::create_result> create(std::string name, buckety::parameters wanted) override;
  settled settle(std::string name, buckety::parameters wanted, bool writes) override;
  answer<removal> remove(std::string name) override;

 private:
  template <class T>
  using result = boost::asio::awaitable<kafka::outcome<T>>;
  using difference = std::variant<buckety::kadm::topic_changes, buckety::kadm::unchangeable>;
  struct looked {
    buckety::kadm::found_topic found;
    difference needed;
  };

  /// Waits a little; false: it is later than `until`, and nothing is asked again.
  boost::asio::awaitable<bool> may_ask_again(duration until);
  duration until_known() const;
  result<std::optional<kafka::topic_state>> find(std::string name);
  result<bool> is_empty(std::string name, std::size_t partitions);
  result<looked> look(std::string name, buckety::kadm::wanted_topic wanted);
  result<void> change(std::string name, buckety::kadm::topic_changes needed);
  result<looked> look_until_same(std::string name, buckety::kadm::wanted_topic wanted);

  clock& time_;
  std::unique_ptr<kafka::client> client_;
};

/// `time` outlives it.
std::unique_ptr<driver> make_kadm_driver(clock& time, boost::asio::any_io_executor loop, buckety::kadm::backend_config const& config);

}  // namespace kopiur::provisioner
