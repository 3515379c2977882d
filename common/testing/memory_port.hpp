#pragma once
#include "common/bus/port.hpp"
#include "common/testing/bus_net.hpp"

namespace kopiur::testing {

/// The bus as a process in a world uses it: bus::port over the in-memory server, on virtual time, with the net's faults. One connection; it
/// lives inside its process, and has no effect once the process is dead.
class memory_port final : public bus::port {
 public:
  memory_port(process& who, bus_net& net);

  asio::awaitable<bus::result<bus::receipt>> publish(bus::publication) override;
  void tell(std::string subject, std::string body, bus::headers head) override;
  asio::awaitable<bus::result<std::optional<bus::stored>>> last(std::string stream, std::string subject) override;
  asio::awaitable<bus::result<std::optional<bus::stored>>> at(std::string stream, std::uint64_t sequence) override;
  asio::awaitable<bus::result<bool>> erase(std::string stream, std::uint64_t sequence) override;
  std::unique_ptr<bus::worker> work(std::string stream, std::string durable, int window) override;
  std::unique_ptr<bus::feed> follow(std::string stream, std::vector<std::string> filters) override;
  std::unique_ptr<bus::listener> listen(std::string subject) override;
  asio::awaitable<bus::result<bus::stream_info>> ensure(bus::stream_config) override;
  asio::awaitable<bus::result<void>> ensure(bus::consumer_config) override;
  asio::awaitable<bus::result<bus::stream_info>> info(std::string stream) override;

 private:
  template <class T>
  using operation = std::function<bus::result<T>(memory_bus&)>;
  template <class T>
  asio::awaitable<bus::result<T>> request(char const* verb, std::string what, operation<T>, int* tries = nullptr);
  asio::awaitable<bus::result<bus::receipt>> who_won(bus::publication const&, bus::error lost, bool ours_perhaps);
  std::optional<fault_ledger::blow> draw(std::span<chance const>);
  std::optional<bus::error> refused_at_once(std::string const& subject);
  bus::error no_answer(char const* verb, std::string const& what);

  process& who_;
  bus_net& net_;
  bus_net::line& line_;
  site& requests_;  // places of faults
  site& answers_;
  site& deliveries_;
  site& feeds_;
  std::shared_ptr<std::deque<bus::publication>> outbox_;  // shared with messages in flight: they arrive in order
};

}  // namespace kopiur::testing
