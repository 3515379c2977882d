#include "services/gateway/shell/hooks.hpp"

#include <chrono>

#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

/// More than the pool has, so that hooks of one namespace may wait while others run; not more than the durable's max_ack_pending.
constexpr int window = 256;
/// A hook that was not performed by then belongs to a run that is over.
constexpr std::chrono::seconds longest_wait = 24h;
constexpr std::int64_t longest = std::chrono::duration_cast<std::chrono::seconds>(proto::longest_hook_timeout).count();

/// The fields that all kinds of hooks have; nothing: the command is not a hook.
struct terms {
  std::string namespace_;
  std::int64_t* timeout_seconds;
};
std::optional<terms> terms_of(proto::gateway_command& command) {
  return std::visit(
      [](auto& one) -> std::optional<terms> {
        if constexpr (requires { one.timeout_seconds; }) return terms{one.namespace_, &one.timeout_seconds};
        return std::nullopt;
      },
      command);
}

/// Cuts the timeout to the maximum. Returns a sentence if it was longer.
std::optional<std::string> cut_timeout(proto::gateway_command& command) {
  auto& seconds = *terms_of(command)->timeout_seconds;
  if (seconds <= longest) return std::nullopt;
  auto asked = std::exchange(seconds, longest);
  return "Its timeout of " + std::to_string(asked) + " s was cut to the " + std::to_string(longest) + " s that a hook may take.";
}

}  // namespace

bool is_hook(proto::gateway_command const& command) {
  return std::visit([](auto const& one) { return requires { one.timeout_seconds; }; }, command);
}

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
  if (stored || stored.error().kind == bus::failure::limit) co_return true;  // limit: it is already queued
  journal.warning("hook.not-queued", {{"subject", command.subject}, {"why", stored.error().text}});
  co_return false;
}

awaitable<hook_pool::permits> hook_pool::take(std::string ns) {
  std::erase_if(namespaces_, [](auto const& each) { return each.second.idle(); });
  auto& own = namespaces_.try_emplace(std::move(ns), loop_, of_a_namespace).first->second;
  auto first = co_await own.take();
  auto second = co_await shared_.take();
  co_return permits{std::move(first), std::move(second)};
}

hooks::hooks(ports ports, asio::any_io_executor loop)
    : ports_(std::move(ports)), pool_(std::move(loop)), worker_(ports_, proto::durable::gateway_hooks(ports_.name), window) {}

awaitable<void> hooks::run() {
  co_await worker_.serve([this](bus::delivery one) { return handle(std::move(one)); });
}

awaitable<void> hooks::handle(bus::delivery one) {
  auto command = worker_.read(one);
  if (!command) co_return;
  auto what = terms_of(*command);
  if (!what) co_return worker_.reject(one, "Only hooks are performed from this subject.");
  auto work = perform_hook(one.message, std::move(*command), std::move(what->namespace_));
  co_await worker_.settle(std::move(one), std::move(work));
}

/// A hook with a stored answer is not called again, however often the command is redelivered.
awaitable<std::optional<proto::answer>> hooks::perform_hook(bus::stored message, proto::gateway_command command, std::string ns) {
  auto permits = co_await pool_.take(std::move(ns));
  if (co_await worker_.is_answered(std::move(message), true)) co_return std::nullopt;
  auto cut = cut_timeout(command);
  if (cut) journal.warning("hook.timeout-cut", {{"subject", message.subject}, {"why", *cut}});
  auto said = co_await perform(ports_, std::move(command));
  if (cut && said.code != proto::answer_code::Ok) said.message += " " + *cut;
  co_return said;
}

}  // namespace kopiur::gateway
