#include "services/gateway/shell/hooks.hpp"

#include <chrono>

#include "common/bus/administration.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/command_terms.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

/// A hook that was not performed by then belongs to a run that is over.
constexpr std::chrono::seconds longest_wait = 24h;

}  // namespace

awaitable<bool> queue_hook(ports ports, bus::stored command) {
  bus::headers head{{"command", std::string(bus::header(command.head, "Nats-Msg-Id"))}};
  for (auto& each : command.head)
    if (!each.first.starts_with("Nats-")) head.push_back(std::move(each));
  auto stored =
      co_await ports.bus.publish({.subject = subjects::command(ports.name, subjects::gateway_hooks, subjects::part(command.subject, 5),
                                                               subjects::part(command.subject, 6)),
                                  .body = std::move(command.body),
                                  .head = std::move(head),
                                  .id = "hook." + std::to_string(command.sequence),
                                  .expected = {},
                                  .ttl = longest_wait,
                                  .rollup = false});
  if (stored || bus::is_pending_already(stored.error())) co_return true;
  journal.warning("hook.not-queued", {{"subject", command.subject}, {"why", stored.error().text}});
  co_return false;
}

hooks::hooks(ports ports, asio::any_io_executor loop)
    : ports_(std::move(ports)),
      worker_(ports_, std::move(loop), proto::durable::gateway_hooks(ports_.name), {.workers = hooks_at_a_time}) {}

awaitable<void> hooks::run() {
  co_await worker_.run([this](bus::stored const& message, proto::gateway_command command) { return perform(message, std::move(command)); });
}

/// A hook with a stored answer is not called again, however often the command is redelivered.
awaitable<command_end> hooks::perform(bus::stored const& message, proto::gateway_command command) {
  if (!is_hook(command)) co_return rejected{"Only hooks are performed from this subject."};
  if (co_await worker_.is_answered(message, true)) co_return settled();
  auto cut = cut_timeout(command);
  if (cut) journal.warning("hook.timeout-cut", {{"subject", message.subject}, {"why", *cut}});
  auto said = co_await gateway::perform(ports_, std::move(command));
  if (cut && said.code != proto::answer_code::Ok) said.message += " " + *cut;
  co_return said;
}

}  // namespace kopiur::gateway
