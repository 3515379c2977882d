#include "services/gateway/shell/serve.hpp"

#include "services/gateway/shell/commands.hpp"
#include "services/gateway/shell/epoch_watch.hpp"
#include "services/gateway/shell/hooks.hpp"
#include "services/gateway/shell/mirror_loop.hpp"
#include "services/gateway/shell/requests.hpp"
#include "services/gateway/shell/status_writer.hpp"

namespace kopiur::gateway {

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
  requests door(ports, options.restore_by_request);
  app::nursery parts(loop);
  parts.spawn(ports.cluster.run());
  parts.spawn(mirror.run());
  parts.spawn(status.run());
  parts.spawn(doer.run());
  parts.spawn(caller.run());
  parts.spawn(door.run());
  parts.spawn(epochs.run());
  co_await parts.join();
}

}  // namespace kopiur::gateway
