#include "services/controller/shell/gateway_call.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/controller/shell/status_reporter.hpp"

namespace kopiur::controller {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr duration first_look = 5ms, last_look = 500ms, no_repetition = 1ms;

/// Two replicas that ask for the same at the same instant may share an answer: they send the same command.
std::string unique(std::string const& purpose, instant now) {
  static std::atomic<std::uint64_t> count = 0;
  auto sent = std::to_string(now.time_since_epoch().count()) + "." + std::to_string(++count);
  return purpose + "-" + hash::digest_hex({purpose, sent}, 12);
}

}  // namespace

boost::asio::awaitable<std::optional<proto::answer>> call_gateway(service_context context, proto::gateway_command what, std::string purpose,
                                                                  duration patience) {
  auto started = context.time.now();
  auto key = unique(purpose, started);
  auto verb = std::visit([](auto& each) { return each.member; }, what);
  auto subject = subjects::answer(context.cluster, "gateway", verb, key);
  co_await send(context, {std::move(what), key, no_repetition});
  for (duration pause = first_look; context.time.now() - started < patience; pause = std::min(last_look, 2 * pause)) {
    co_await context.time.sleep_for(pause);
    auto found = co_await context.bus.last(std::string(subjects::answers), subject);
    if (!found || !*found) continue;
    auto read = json::read<proto::answer>((*found)->body);
    if (!read) throw std::runtime_error("The gateway's answer cannot be read: " + read.error().text() + ". Do both have the same version?");
    co_return std::move(*read);
  }
  co_return std::nullopt;
}

}  // namespace kopiur::controller
