#pragma once
#include <gtest/gtest.h>

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/app/async.hpp"
#include "common/bus/port.hpp"
#include "common/time/clock.hpp"

/// What every implementation of bus::port does, as checks that use only the port. An implementation instantiates them:
///
///     void on_my_bus(bus::conformance::check run_it) { /* make a stage, run `run_it(stage)` to its end on the stage's loop */ }
///     KOPIUR_BUS_CONFORMANCE(MyBus, on_my_bus);
///
/// Each check gets its own stage with an empty bus. It waits by the stage's clock: seconds, which cost nothing on virtual time. The dead
/// letters of a stage's ports go to the prefix `dead`.
namespace kopiur::bus::conformance {

/// The environment of a check.
class stage {
 public:
  virtual ~stage() = default;
  /// Another connection to the stage's one bus; it lives as long as the stage.
  virtual asio::awaitable<port*> connect() = 0;
  virtual clock& time() = 0;
};
using check = asio::awaitable<void> (*)(stage&);
struct named_check {
  char const* name;
  check run;
};
inline void PrintTo(named_check const& one, std::ostream* out) { *out << one.name; }

/// All checks, in the order of the port.
std::vector<named_check> checks();
std::vector<named_check> publish_checks();
std::vector<named_check> work_checks();
std::vector<named_check> feed_checks();
std::vector<named_check> config_checks();

/// Thrown when a check cannot continue.
struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The value; on an error the check ends with the bus's own text.
template <class T>
T must(result<T> from) {
  if (!from) throw broken("unexpected failure: " + from.error().text);
  if constexpr (!std::is_void_v<T>) return *std::move(from);
}
/// The failure's kind; a check fails with "it succeeded" when there is none.
template <class T>
failure kind_of(result<T> const& from) {
  if (from) ADD_FAILURE() << "it succeeded where it had to be refused";
  return from ? failure::other : from.error().kind;
}

/// The next delivery, item or message within `limit`; nothing when none came.
asio::awaitable<std::optional<delivery>> soon(stage&, worker&, duration limit = std::chrono::seconds(10));
asio::awaitable<std::optional<feed_item>> soon(stage&, feed&, duration limit = std::chrono::seconds(10));
asio::awaitable<std::optional<stored>> soon(stage&, listener&, duration limit = std::chrono::seconds(10));
/// Checks every 50 ms until `holds` returns true, 10 s at most; false when it never did.
asio::awaitable<bool> eventually(stage&, std::function<asio::awaitable<bool>()> holds);

/// A stream named `name` that owns `<name>.>`, in memory; the rest are the port's defaults.
stream_config plain(std::string name);
/// The same as a work queue.
stream_config queue(std::string name);
/// A durable `workers` on the stream, ack wait 1 s.
consumer_config durable(std::string stream);

}  // namespace kopiur::bus::conformance

/// Instantiates the suite as tests `NAME.Bus/<check>`; `runner` is callable with a conformance::check.
#define KOPIUR_BUS_CONFORMANCE(NAME, runner)                                                   \
  class NAME : public ::testing::TestWithParam<kopiur::bus::conformance::named_check> {};      \
  TEST_P(NAME, Conforms) { EXPECT_NO_THROW(runner(GetParam().run)); }                          \
  INSTANTIATE_TEST_SUITE_P(Bus, NAME, ::testing::ValuesIn(kopiur::bus::conformance::checks()), \
                           [](auto const& one) { return std::string(one.param.name); })
