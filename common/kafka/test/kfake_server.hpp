#pragma once
#include <map>
#include <string>

#include "common/json/describe.hpp"
#include "common/kafka/connection.hpp"
#include "common/process/child.hpp"
#include "common/time/clock.hpp"

namespace kopiur::kafka::test {

/// A topic as kfake tells of it.
struct served_topic {
  int partitions = 0, replicas = 0;
  std::int64_t records = 0;
  std::map<std::string, std::string> configs;
};
KOPIUR_DESCRIBE(served_topic, (), (partitions, replicas, records, configs))

/// kfake (parts/kfake): a Kafka cluster of its own process, whose control port does what others would do.
class kfake_server {
 public:
  template <class T>
  using awaitable = boost::asio::awaitable<T>;
  kfake_server(boost::asio::any_io_executor loop, clock& time, std::vector<std::string> options = {});

  /// Until it serves.
  awaitable<void> start();
  std::vector<std::string> seeds() const { return seeds_; }
  kafka::connection connection() const { return {.seeds = seeds_, .client_ID = "test", .tls = {}, .sasl = {}}; }

  awaitable<std::map<std::string, served_topic>> topics();
  /// How often each API was called.
  awaitable<std::map<std::string, int>> requests();
  /// `POST /fault?api=..&kind=..&code=..&count=..`, `POST /topics/NAME/..`, `DELETE /topics/NAME`
  awaitable<void> post(std::string target) { return void_of(ask("POST", std::move(target))); }
  awaitable<void> remove(std::string target) { return void_of(ask("DELETE", std::move(target))); }

 private:
  awaitable<std::string> ask(std::string method, std::string target);
  static awaitable<void> void_of(awaitable<std::string> call) { co_await std::move(call); }

  clock& time_;
  process::child server_;
  std::vector<std::string> seeds_;
  std::string control_;
};

}  // namespace kopiur::kafka::test
