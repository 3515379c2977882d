#include "services/mover-orchestration/shell/watch.hpp"

#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/mover-orchestration/core/watching.hpp"

namespace kopiur::mover_orchestration {

namespace subjects = proto::subjects;

watch::watch(controller::service_context const& context, log::logger log)
    : context_(context), subject_(subjects::watch(context.cluster)), log_(context, subjects::states, {subject_}, std::move(log)) {}

duration watch::watched(instant since) const {
  auto* known = log_.find(subject_);
  return known ? mover_orchestration::watched(known->value, since) : duration::zero();
}

instant watch::stretch_at(int back) const {
  auto now = context_.time.now().time_since_epoch();
  return instant((now / stretch - back) * stretch);
}

std::string watch::key(int back) const { return "watch-" + std::to_string(stretch_at(back).time_since_epoch() / stretch); }

boost::asio::awaitable<void> watch::note(int back) {
  auto* known = log_.find(subject_);
  auto sequence = known ? known->sequence : 0;
  auto before = known ? known->value : proto::watch_log{};
  auto now = seen_at(before, stretch_at(back));
  if (now == before) co_return;
  auto id = subject_ + "." + std::to_string(sequence);
  auto stored = co_await context_.bus.publish({.subject = subject_,
                                               .body = json::write(now),
                                               .head = proto::envelope("cluster.watched.v1", context_.service, id, context_.time.now()),
                                               .id = {},
                                               .expected = sequence,
                                               .ttl = {},
                                               .rollup = false});
  if (stored) co_return log_.put(subject_, std::move(now), stored->sequence);
  // On wrong_sequence another replica has stored it, and the view receives that update.
  if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(subject_ + ": " + stored.error().text);
}

}  // namespace kopiur::mover_orchestration
