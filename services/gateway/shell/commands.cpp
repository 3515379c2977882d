#include "services/gateway/shell/commands.hpp"

#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/shell/hooks.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

namespace subjects = proto::subjects;

namespace {

constexpr int window = 32;

/// A create of a run's object. The object may have been deleted since: a redelivered command must not create it again if the answer is Ok.
bool is_create_of_a_run(proto::gateway_command const& command, std::string_view key) {
  auto* one = std::get_if<proto::create_object>(&command);
  return one && label(one->object, ours("run")) == key;
}

awaitable<std::optional<proto::answer>> performed(ports ports, proto::gateway_command command) {
  co_return co_await perform(std::move(ports), std::move(command));
}

}  // namespace

commands::commands(ports ports) : ports_(std::move(ports)), worker_(ports_, proto::durable::gateway_commands(ports_.name), window) {}

awaitable<void> commands::run() {
  co_await worker_.serve([this](bus::delivery one) { return handle(std::move(one)); });
}

awaitable<void> commands::handle(bus::delivery one) {
  auto command = worker_.read(one);
  if (!command) co_return;
  bool hook = is_hook(*command), once = hook || is_create_of_a_run(*command, subjects::name(subjects::part(one.message.subject, 6)));
  if (once && co_await worker_.is_answered(one.message, hook)) co_return worker_.ack(one);
  if (hook) {
    if (co_await queue_hook(ports_, one.message)) co_return worker_.ack(one);
    co_return worker_.retry(one);
  }
  auto work = performed(ports_, std::move(*command));
  co_await worker_.settle(std::move(one), std::move(work));
}

}  // namespace kopiur::gateway
