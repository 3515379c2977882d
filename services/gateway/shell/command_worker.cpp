#include "services/gateway/shell/command_worker.hpp"

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/command_terms.hpp"
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

}  // namespace

command_worker::command_worker(ports ports, asio::any_io_executor loop, std::string const& durable, limits limits)
    : ports_(std::move(ports)),
      worker_(ports_.bus.work(std::string(subjects::commands), durable, limits.window)),
      queue_(ports_.time, loop, limits.workers, [](command_key const& key) { return key.namespace_; }) {}

awaitable<void> command_worker::run(performer perform) {
  app::nursery all(co_await asio::this_coro::executor);
  all.spawn(receive());
  all.spawn(keep_alive());
  all.spawn(queue_.run([this, &perform](command_key key) { return work_on(perform, std::move(key)); }));
  co_await all.join();
}

awaitable<void> command_worker::receive() {
  for (;;) {
    auto one = co_await worker_->next();
    auto command = read_command(one.message);
    if (!command) {
      settle(one, rejected{command.error()});
      continue;
    }
    command_key key{namespace_of(*command), one.message.subject};
    if (auto there = received_.find(key); there != received_.end()) {
      there->second.delivery = std::move(one);
      continue;
    }
    received_.emplace(key, received{std::move(one), *std::move(command)});
    queue_.add(key);
  }
}

/// Commands that wait or take long are not redelivered meanwhile.
awaitable<void> command_worker::keep_alive() {
  for (;;) {
    co_await ports_.time.sleep_for(still_at_it);
    for (auto& [_, each] : received_) worker_->progress(each.delivery);
  }
}

awaitable<void> command_worker::work_on(performer const& perform, command_key key) {
  auto& one = received_.at(key);
  auto message = one.delivery.message;
  auto end = co_await perform(message, std::move(one.command));
  if (auto* said = std::get_if<proto::answer>(&end)) end = co_await stored(message, std::move(*said));
  settle(one.delivery, end);
  received_.erase(key);
}

void command_worker::settle(bus::delivery const& one, command_end const& end) {
  if (auto* why = std::get_if<rejected>(&end)) {
    journal.warning("command.unreadable", {{"subject", one.message.subject}, {"why", why->reason}});
    return worker_->reject(one, why->reason);
  }
  if (std::holds_alternative<postponed>(end)) return worker_->retry(one, try_again);
  worker_->ack(one);
}

/// The answer is stored before the command is acknowledged; when that fails, the command is redelivered.
awaitable<command_end> command_worker::stored(bus::stored const& command, proto::answer said) {
  auto code = std::string(json::to_text(said.code));
  if (ports_.counted)
    ports_.counted->add("kopiur_gateway_commands_total", "Commands that were carried out.",
                        {{"code", code}, {"verb", std::string(subjects::part(command.subject, 5))}});
  if (said.code != proto::answer_code::Ok)
    journal.info("command.refused", {{"subject", command.subject}, {"code", code}, {"why", said.message}});
  if (co_await answer(command, std::move(said))) co_return settled();
  co_return postponed();
}

awaitable<bool> command_worker::is_answered(bus::stored const& command, bool whatever) {
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
