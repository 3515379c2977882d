#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/bus/administration.hpp"
#include "common/time/clock.hpp"

namespace kopiur::bus {

/// The used part of its budget, in hundredths; nothing: it has none.
std::optional<int> percent_used(stream_size const&);

/// How full streams are, looked up once a minute. A stream that cannot be looked up keeps its last size.
class fullness {
 public:
  fullness(port& bus, clock& time, std::vector<std::string> streams) : bus_(bus), time_(time), streams_(std::move(streams)) {}

  /// Looks at once, then every minute, and calls `told` after each look. Ends by cancellation.
  asio::awaitable<void> run(std::function<void()> told = [] {});
  std::map<std::string, stream_size> const& sizes() const { return sizes_; }

 private:
  asio::awaitable<void> look();

  port& bus_;
  clock& time_;
  std::vector<std::string> streams_;
  std::map<std::string, stream_size> sizes_;
};

}  // namespace kopiur::bus
