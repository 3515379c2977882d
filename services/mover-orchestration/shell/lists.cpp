#include "services/mover-orchestration/shell/lists.hpp"

#include <boost/asio.hpp>

#include "proto/subjects.hpp"
#include "services/controller/shell/list_pages.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

namespace {
controller::listed_snapshot brief(snapshot_row row) {
  return {.id = std::move(row.id),
          .ended = row.end_time,
          .partial = row.failed_count > 0,
          .run = std::move(row.run),
          .files = row.files,
          .size_bytes = row.size_bytes,
          .baseline = std::move(row.baseline)};
}
}  // namespace

lists::lists(controller::service_context const& context, log::logger log, std::function<void()> changed)
    : context_(context),
      heads_(context, subjects::states, {"kopiur.v1.repository." + subjects::token(context.cluster) + ".>"}, std::move(log)),
      changed_(std::move(changed)),
      asked_(context.loop) {
  heads_.view().on_change([this](std::string const&, bus::stored const*) { changed_(); });
}

snapshot_list const* lists::head(std::string const& repository) const {
  auto* found = heads_.find(subjects::repository(context_.cluster, repository));
  return found ? &found->value : nullptr;
}

controller::listed_snapshots const* lists::find(controller::list_query const& what) const {
  auto found = found_.find(what);
  return found == found_.end() ? nullptr : &found->second;
}

void lists::want(controller::list_query what) {
  wanted_[what.repository].insert(std::move(what.identity));
  asked_.notify();
}

boost::asio::awaitable<void> lists::serve() {
  for (;;) {
    for (auto epoch = asked_.epoch(); wanted_.empty(); epoch = asked_.epoch()) co_await asked_.wait(epoch);
    auto next = wanted_.extract(wanted_.begin());
    co_await read(next.key(), std::move(next.mapped()));
    changed_();
  }
}

boost::asio::awaitable<void> lists::read(std::string repository, std::set<identity> who) {
  auto* known = head(repository);
  if (!known) co_return;
  auto list = *known;
  std::map<controller::list_query, controller::listed_snapshots> found;
  for (auto& each : who) found[{repository, each}].list = list.list;
  bool whole = co_await controller::read_list(context_.bus, context_.cluster, list, [&](std::vector<snapshot_row> rows) {
    for (auto& row : rows)
      if (auto entry = found.find({repository, row.source}); entry != found.end()) entry->second.snapshots.push_back(brief(std::move(row)));
  });
  // Drops rows that were read from older lists or for Restores that are over.
  constexpr std::size_t most = 1'000;
  std::erase_if(found_, [&](auto& each) { return each.first.repository == repository && each.second.list != list.list; });
  if (found_.size() > most) found_.clear();
  for (auto& [query, one] : found) {
    one.whole = whole;
    found_.insert_or_assign(query, std::move(one));
  }
}

}  // namespace kopiur::mover_orchestration
