#include "services/gateway/shell/serve.hpp"

#include "common/bus/fullness.hpp"
#include "proto/budget.hpp"
#include "proto/streams.hpp"
#include "services/gateway/shell/commands.hpp"
#include "services/gateway/shell/epoch_watch.hpp"
#include "services/gateway/shell/hooks.hpp"
#include "services/gateway/shell/mirror_loop.hpp"
#include "services/gateway/shell/requests.hpp"
#include "services/gateway/shell/status_writer.hpp"

namespace kopiur::gateway {

namespace {

std::vector<std::string> all_streams() {
  std::vector<std::string> names;
  for (auto& each : proto::streams(1)) names.push_back(std::move(each.name));
  return names;
}

/// One service emits each metric; this is the one that looks at all streams.
void measure_streams(metrics::registry& into, bus::fullness const& full) {
  for (auto const& [stream, size] : full.sizes()) {
    if (size.budget <= 0) continue;
    into.set("kopiur_bus_stream_bytes", "Bytes in a stream of the bus.", static_cast<double>(size.bytes), {{"stream", stream}});
    into.set("kopiur_bus_stream_budget_bytes", "Bytes that a stream of the bus may hold.", static_cast<double>(size.budget),
             {{"stream", stream}});
  }
}

}  // namespace

awaitable<void> serve(ports ports, serve_options options) {
  auto loop = co_await asio::this_coro::executor;
  mirror_loop* objects = nullptr;
  epoch_watch epochs(ports, loop, [&](auto const&) { objects->again(); });
  status_writer status(ports, loop, [&] { epochs.look_soon(); });
  mirror_loop mirror(ports, loop,
                     {.seen = [&](json::value const& object) { status.seen(object); },
                      .gone = [&](proto::object_ref const& object) { status.gone(object); },
                      .progressed = [&](progress_book::update one) { status.live(one.object, std::move(one.status)); }});
  objects = &mirror;
  commands doer(ports, loop);
  hooks caller(ports, loop);
  bus::fullness full(ports.bus, ports.time, all_streams());
  requests door(ports, options.restore_by_request, [&] { return proto::why_no_run_begins(full); });
  app::nursery parts(loop);
  parts.spawn(ports.cluster.run());
  parts.spawn(mirror.run());
  parts.spawn(status.run());
  parts.spawn(doer.run());
  parts.spawn(caller.run());
  parts.spawn(door.run());
  parts.spawn(epochs.run());
  parts.spawn(full.run([&] {
    if (ports.counted) measure_streams(*ports.counted, full);
  }));
  co_await parts.join();
}

}  // namespace kopiur::gateway
