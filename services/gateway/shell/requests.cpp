#include "services/gateway/shell/requests.hpp"

#include <algorithm>
#include <array>

#include "proto/budget.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;
using proto::answer_code;

namespace {

/// Delays of retries. Senders do not repeat requests, so the retries outlast a cluster outage: twenty minutes in all. One fewer than there
/// are deliveries (bus::consumer_config::max_deliver).
constexpr std::array<duration, 7> try_again{5s, 10s, 30s, 1min, 2min, 5min, 10min};

/// The last delivery: the sender is informed of the failure.
bool is_given_up(bus::delivery const& one) { return one.attempt > static_cast<int>(try_again.size()); }

proto::request_answer refused(std::string id, std::string message) {
  return {.id = std::move(id), .accepted = false, .message = std::move(message), .kind = {}, .namespace_ = {}, .name = {}};
}

}  // namespace

requests::requests(ports ports, bool restore_allowed, why_not full)
    : ports_(std::move(ports)), restore_allowed_(restore_allowed), full_(std::move(full)) {}

awaitable<void> requests::run() {
  worker_ = ports_.bus.work(std::string(subjects::requests), proto::durable::gateway_requests(ports_.name), 16);
  for (;;) co_await handle(co_await worker_->next());
}

awaitable<void> requests::handle(bus::delivery one) {
  raw_request raw{.namespace_ = subjects::name(subjects::part(one.message.subject, 4)),
                  .verb = subjects::name(subjects::part(one.message.subject, 5)),
                  .body = one.message.body,
                  .headers = one.message.head,
                  .sequence = one.message.sequence};
  std::string failed;
  try {
    auto parsed = parse_request(raw);
    if (parsed && is_given_up(one)) {
      auto why = "The cluster did not answer for twenty minutes, so it is unknown whether this was done: send it again with the same id.";
      co_await tell(raw.namespace_, refused(parsed->id, why));
      worker_->reject(one, why);
    } else if (parsed) {
      co_await tell(raw.namespace_, co_await decide(raw.namespace_, *parsed));
      worker_->ack(one);
    } else {  // also a dead letter: the sender may not listen for an ack
      co_await tell(raw.namespace_, refused(parsed.error().id, parsed.error().message));
      worker_->reject(one, parsed.error().message);
    }
    co_return;
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception())) throw;
    failed = e.what();
  }
  journal.warning("request.failed", {{"subject", one.message.subject}, {"why", failed}});
  worker_->retry(one, try_again.at(std::min(static_cast<std::size_t>(one.attempt), try_again.size()) - 1));
}

awaitable<proto::request_answer> requests::decide(std::string ns, parsed_request parsed) {
  auto plan = plan_request(parsed, ns, restore_allowed_);
  if (!plan) co_return refused(plan.error().id, plan.error().message);
  if (std::holds_alternative<create_step>(plan->step))
    if (auto full = full_(); full && !co_await was_made(*plan)) co_return refused(parsed.id, std::string(proto::bus_full) + ": " + *full);
  auto object = plan->stands_for;
  auto done = co_await carry_out(std::move(*plan));
  if (!done && may_pass(done.error().code)) throw std::runtime_error(done.error().message);
  if (!done) co_return refused(parsed.id, done.error().message);
  co_return proto::request_answer{
      .id = parsed.id, .accepted = true, .message = {}, .kind = object.kind, .namespace_ = object.namespace_, .name = object.name};
}

/// True when an earlier delivery created the object. Its answer may be lost, and what the request needs may have been deleted since.
awaitable<bool> requests::was_made(request_plan const& plan) {
  auto* create = std::get_if<create_step>(&plan.step);
  if (!create) co_return false;
  auto there = co_await ports_.cluster.read(plan.stands_for);
  if (!there && there.error().code != answer_code::NotFound) throw std::runtime_error(there.error().message);
  co_return there&& proves(*there, create->object);
}

awaitable<outcome<void>> requests::carry_out(request_plan plan) {
  if (plan.needs)
    if (auto there = co_await ports_.cluster.read(*plan.needs); !there) {
      bool done_before = there.error().code == answer_code::NotFound && co_await was_made(plan);
      if (!done_before) co_return std::unexpected(there.error());
      co_return outcome<void>();
    }
  outcome<json::value> done;
  if (auto* create = std::get_if<create_step>(&plan.step)) done = co_await ports_.cluster.create(std::move(create->object));
  if (auto* annotate = std::get_if<annotate_step>(&plan.step))
    done = co_await ports_.cluster.patch({.object = annotate->object,
                                          .add_finalizers = {},
                                          .remove_finalizers = {},
                                          .labels = {},
                                          .annotations = std::move(annotate->annotations)});
  if (!done) co_return std::unexpected(done.error());
  co_return outcome<void>();
}

awaitable<void> requests::tell(std::string ns, proto::request_answer said) {
  journal.info("request.answered",
               {{"id", said.id}, {"accepted", said.accepted ? "true" : "false"}, {"name", said.name}, {"why", said.message}});
  auto id = request_token(said.id);
  auto body = json::write(said);
  ports_.bus.tell(subjects::request_ack(ports_.name, ns, id), body);
  auto stored = co_await ports_.bus.publish({.subject = subjects::answer(ports_.name, "gateway", "request", id),
                                             .body = body,
                                             .head = {},
                                             .id = {},
                                             .expected = {},
                                             .ttl = {},
                                             .rollup = false});
  if (!stored) throw std::runtime_error(stored.error().text);
}

}  // namespace kopiur::gateway
