#include "services/gateway/shell/commands.hpp"

#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr int window = 32;
constexpr duration still_at_it = 3s, try_again = 5s;

// The answer's subject is the command's own, verb and key.
std::string answer_subject(std::string_view cluster, std::string_view command) {
  return subjects::answer(cluster, "gateway", subjects::part(command, 5), subjects::part(command, 6));
}

/// What it made may have been deleted since.
bool is_create_of_a_run(proto::gateway_command const& command, std::string_view key) {
  auto* one = std::get_if<proto::create_object>(&command);
  return one && label(one->object, ours("run")) == key;
}

bool is_hook(proto::gateway_command const& command) {
  return std::holds_alternative<proto::call_http>(command) || std::holds_alternative<proto::exec_in_pod>(command) ||
         std::holds_alternative<proto::run_user_job>(command);
}

awaitable<void> into(proto::answer& out, awaitable<proto::answer> from) { out = co_await std::move(from); }

}  // namespace

commands::commands(ports to) : to_(std::move(to)) {}

awaitable<void> commands::run() {
  worker_ = to_.bus.work(std::string(subjects::commands), proto::durable::gateway_commands(to_.name), window);
  app::nursery handlers(co_await asio::this_coro::executor);
  handlers.spawn(receive(handlers));
  co_await handlers.join();
}

awaitable<void> commands::receive(app::nursery& handlers) {
  for (;;) handlers.spawn(handle(co_await worker_->next()));
}

awaitable<void> commands::keep_alive(bus::delivery const& one) {
  for (;;) {
    co_await to_.time.sleep_for(still_at_it);
    worker_->progress(one);
  }
}

awaitable<void> commands::handle(bus::delivery one) {
  auto command = read_command(one.message);
  if (!command) {
    journal.warning("command.unreadable", {{"subject", one.message.subject}, {"why", command.error()}});
    worker_->reject(one, command.error());
    co_return;
  }
  bool hook = is_hook(*command), once = hook || is_create_of_a_run(*command, subjects::name(subjects::part(one.message.subject, 6)));
  if (once && co_await is_answered(one.message, hook)) {
    worker_->ack(one);
    co_return;
  }
  proto::answer said;
  co_await app::first_of(into(said, perform(to_, std::move(*command))), keep_alive(one));
  if (to_.counted)
    to_.counted->add("kopiur_gateway_commands_total", "Commands that were carried out.",
                     {{"code", std::string(json::to_text(said.code))}, {"verb", std::string(subjects::part(one.message.subject, 5))}});
  if (said.code != proto::answer_code::Ok)
    journal.info("command.refused",
                 {{"subject", one.message.subject}, {"code", std::string(json::to_text(said.code))}, {"why", said.message}});
  if (co_await answer(one.message, std::move(said))) {
    worker_->ack(one);
  } else {
    worker_->retry(one, try_again);
  }
}

// A hook is somebody else's act: what was answered once is not sent again, however often the command comes. An object of a run was made
// once where the answer says so. All else may be done twice.
awaitable<bool> commands::is_answered(bus::stored const& command, bool whatever) {
  auto stored = co_await to_.bus.last(std::string(subjects::answers), answer_subject(to_.name, command.subject));
  if (!stored || !*stored || (*stored)->body.empty()) co_return false;
  auto said = json::read<proto::answer>((*stored)->body);
  co_return whatever || (said && said->code == proto::answer_code::Ok);
}

awaitable<bool> commands::answer(bus::stored const& command, proto::answer said) {
  auto id = "answer." + std::to_string(command.sequence);
  bus::headers head{{"ce-specversion", "1.0"},
                    {"ce-id", id},
                    {"ce-source", "kopiur/" + to_.name + "/gateway"},
                    {"ce-type", "command.answered.v1"},
                    {"ce-time", to_text(to_.time.now())},
                    {"command", std::string(bus::header(command.head, "Nats-Msg-Id"))}};
  if (auto trace = bus::header(command.head, "traceparent"); !trace.empty()) head.emplace_back("traceparent", trace);
  auto stored = co_await to_.bus.publish({.subject = answer_subject(to_.name, command.subject),
                                          .body = json::write(said),
                                          .head = std::move(head),
                                          .id = std::move(id),
                                          .expected = {},
                                          .ttl = {},
                                          .rollup = false});
  if (!stored) journal.warning("answer.failed", {{"subject", command.subject}, {"why", stored.error().text}});
  co_return stored.has_value();
}

}  // namespace kopiur::gateway
