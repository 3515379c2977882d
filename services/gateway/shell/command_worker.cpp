#include "services/gateway/shell/command_worker.hpp"

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/mirror.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr duration still_at_it = 3s, try_again = 5s;

// The answer's subject has the verb and key of the command.
std::string answer_subject(std::string_view cluster, std::string_view command) {
  return subjects::answer(cluster, "gateway", subjects::part(command, 5), subjects::part(command, 6));
}

/// The id that the sender gave the command. A moved command carries it in a header.
std::string id_of(bus::stored const& command) {
  auto moved = bus::header(command.head, "command");
  return std::string(moved.empty() ? bus::header(command.head, "Nats-Msg-Id") : moved);
}

awaitable<void> into(std::optional<proto::answer>& out, awaitable<std::optional<proto::answer>> from) { out = co_await std::move(from); }

}  // namespace

command_worker::command_worker(ports ports, std::string const& durable, int window)
    : ports_(std::move(ports)), worker_(ports_.bus.work(std::string(subjects::commands), durable, window)) {}

awaitable<void> command_worker::serve(std::function<awaitable<void>(bus::delivery)> handle) {
  app::nursery handlers(co_await asio::this_coro::executor);
  handlers.spawn(receive(handlers, handle));
  co_await handlers.join();
}

awaitable<void> command_worker::receive(app::nursery& handlers, std::function<awaitable<void>(bus::delivery)> const& handle) {
  for (;;) handlers.spawn(handle(co_await worker_->next()));
}

std::optional<proto::gateway_command> command_worker::read(bus::delivery const& one) {
  auto command = read_command(one.message);
  if (command) return std::move(*command);
  reject(one, command.error());
  return std::nullopt;
}

void command_worker::retry(bus::delivery const& one) { worker_->retry(one, try_again); }

void command_worker::reject(bus::delivery const& one, std::string reason) {
  journal.warning("command.unreadable", {{"subject", one.message.subject}, {"why", reason}});
  worker_->reject(one, std::move(reason));
}

awaitable<void> command_worker::keep_alive(bus::delivery const& one) {
  for (;;) {
    co_await ports_.time.sleep_for(still_at_it);
    worker_->progress(one);
  }
}

awaitable<void> command_worker::settle(bus::delivery one, awaitable<std::optional<proto::answer>> work) {
  std::optional<proto::answer> said;
  co_await app::first_of(into(said, std::move(work)), keep_alive(one));
  if (!said) co_return ack(one);
  auto code = std::string(json::to_text(said->code));
  if (ports_.counted)
    ports_.counted->add("kopiur_gateway_commands_total", "Commands that were carried out.",
                        {{"code", code}, {"verb", std::string(subjects::part(one.message.subject, 5))}});
  if (said->code != proto::answer_code::Ok)
    journal.info("command.refused", {{"subject", one.message.subject}, {"code", code}, {"why", said->message}});
  if (co_await answer(one.message, std::move(*said)))
    ack(one);
  else
    retry(one);
}

awaitable<bool> command_worker::is_answered(bus::stored command, bool whatever) {
  auto stored = co_await ports_.bus.last(std::string(subjects::answers), answer_subject(ports_.name, command.subject));
  if (!stored || !*stored || (*stored)->body.empty()) co_return false;
  auto said = json::read<proto::answer>((*stored)->body);
  co_return whatever || (said && said->code == proto::answer_code::Ok);
}

awaitable<bool> command_worker::answer(bus::stored const& command, proto::answer said) {
  auto id = "answer." + std::to_string(command.sequence);
  bus::headers head{{"ce-specversion", "1.0"},
                    {"ce-id", id},
                    {"ce-source", "kopiur/" + ports_.name + "/gateway"},
                    {"ce-type", "command.answered.v1"},
                    {"ce-time", to_text(ports_.time.now())},
                    {"command", id_of(command)}};
  if (auto trace = bus::header(command.head, "traceparent"); !trace.empty()) head.emplace_back("traceparent", trace);
  bus::publication message{.subject = answer_subject(ports_.name, command.subject),
                           .body = json::write(said),
                           .head = std::move(head),
                           .id = std::move(id),
                           .expected = {},
                           .ttl = {},
                           .rollup = false};
  auto stored = co_await ports_.bus.publish(message);
  if (!stored && stored.error().kind == bus::failure::too_large && said.object) {  // send a stub, as the mirror does
    said.object = stub_of(*said.object);
    message.body = json::write(said);
    stored = co_await ports_.bus.publish(std::move(message));
  }
  if (!stored) journal.warning("answer.failed", {{"subject", command.subject}, {"why", stored.error().text}});
  co_return stored.has_value();
}

}  // namespace kopiur::gateway
