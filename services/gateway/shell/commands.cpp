#include "services/gateway/shell/commands.hpp"

#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/command_terms.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/shell/hooks.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

namespace subjects = proto::subjects;

namespace {

/// A create of a run's object. The object may have been deleted since: a redelivered command must not create it again if the answer is Ok.
bool is_create_of_a_run(proto::gateway_command const& command, std::string_view key) {
  auto* one = std::get_if<proto::create_object>(&command);
  return one && label(one->object, ours("run")) == key;
}

}  // namespace

commands::commands(ports ports, asio::any_io_executor loop)
    : ports_(std::move(ports)), worker_(ports_, std::move(loop), proto::durable::gateway_commands(ports_.name), {}) {}

awaitable<void> commands::run() {
  co_await worker_.run([this](bus::stored const& message, proto::gateway_command command) { return perform(message, std::move(command)); });
}

awaitable<command_end> commands::perform(bus::stored const& message, proto::gateway_command command) {
  bool hook = is_hook(command), once = hook || is_create_of_a_run(command, subjects::name(subjects::part(message.subject, 6)));
  if (once && co_await worker_.is_answered(message, hook)) co_return settled();
  if (!hook) co_return co_await gateway::perform(ports_, std::move(command));
  if (co_await queue_hook(ports_, message)) co_return settled();
  co_return postponed();
}

}  // namespace kopiur::gateway
