#include "services/mover-orchestration/shell/trace_export.hpp"

#include "common/http/client.hpp"
#include "common/json/value.hpp"
#include "proto/envelope.hpp"
#include "services/mover-orchestration/core/trace.hpp"

namespace kopiur::mover_orchestration {

namespace {
constexpr std::size_t most_waiting = 1000;
constexpr duration patience{5'000};
}  // namespace

trace_export::trace_export(clock& time, boost::asio::any_io_executor loop, std::string endpoint)
    : time_(time), endpoint_(std::move(endpoint)), more_(loop) {
  while (endpoint_.ends_with('/')) endpoint_.pop_back();
}

void trace_export::add(proto::run_state const& run) {
  if (endpoint_.empty()) return;
  auto trace = trace_of(run, proto::trace_id(run.run), proto::root_span_id(run.run));
  if (!trace) return;
  if (waiting_.size() == most_waiting) waiting_.pop_front();
  waiting_.push_back(json::dump(*trace));
  more_.notify();
}

boost::asio::awaitable<void> trace_export::run() {
  for (;;) {
    auto epoch = more_.epoch();
    if (waiting_.empty()) {
      co_await more_.wait(epoch);
      continue;
    }
    http::request request{.method = "POST",
                          .url = endpoint_ + "/v1/traces",
                          .headers = {{"Content-Type", "application/json"}},
                          .body = std::move(waiting_.front()),
                          .timeout = patience};
    waiting_.pop_front();
    auto said = co_await http::send(time_, std::move(request));
    if (!said)
      log_.warning("trace.dropped", {{"why", said.error()}});
    else if (said->status / 100 != 2)
      log_.warning("trace.dropped", {{"why", "The endpoint answered " + std::to_string(said->status) + "."}});
  }
}

}  // namespace kopiur::mover_orchestration
