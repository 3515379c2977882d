#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "common/testing/nats_server.hpp"

namespace kopiur::testing {

/// Three real nats-servers in one cluster. Elections take some seconds before JetStream answers, and again after a leader ends.
class nats_cluster {
 public:
  static constexpr std::size_t size = 3;
  /// Starts all of them, or only the first `started`. Blocks; throws as nats_server does.
  explicit nats_cluster(std::size_t started = size);

  nats_server& at(std::size_t i) { return *servers_.at(i); }
  /// The server whose name is in a stream's `cluster.leader`.
  nats_server& named(std::string const& name);
  std::vector<std::string> urls() const;

 private:
  std::array<std::unique_ptr<nats_server>, size> servers_;
};

}  // namespace kopiur::testing
