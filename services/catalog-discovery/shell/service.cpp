#include "services/catalog-discovery/shell/service.hpp"

#include <algorithm>
#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/catalog-discovery/core/metrics.hpp"
#include "services/controller/core/reference.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/rules/results.hpp"

namespace kopiur::catalog_discovery {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {
constexpr std::size_t workers = 8;  // a list of a repository may have 100,000 rows, so only a few are read at the same time
constexpr int triggers_at_a_time = 32;
constexpr std::size_t at_a_time = 500;  // rows or objects, before other coroutines run

/// The runs of which more is read than whether they are over.
bool opens_or_lists(run_state const& run) { return run.order.plan == "connect" || run.order.plan == "discover"; }

bool whatever(run_state const&) { return true; }
bool is_over(run_state const& run) { return is_terminal(run.stage); }
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "catalog-discovery", options.shared},
                   {.kinds = controller::names_of<controller::manifest_kinds>(), .whole_run = opens_or_lists}),
      runs_(cache_.runs()),
      lists_(context_, log_),
      queue_(time, loop, workers, [](object_key const& key) { return key.namespace_; }) {
  follow(lists_.view());
}

asio::awaitable<void> service::work() {
  auto& loop = context_.loop;
  controller::triggers<object_key> runs(bus_, loop, queue_, subjects::runs, durable::discovery_runs(context_.cluster), triggers_at_a_time);
  controller::triggers<object_key> objects(bus_, loop, queue_, subjects::resources, durable::discovery_resources(context_.cluster),
                                           triggers_at_a_time);
  app::nursery all(loop);
  all.spawn(runs.follow([this](bus::stored const& fact) { return keys_of_run(fact); }));
  all.spawn(objects.follow([this](bus::stored const& message) { return keys_of_object(message); }));
  all.spawn(queue_.run([this](object_key key) { return work_on(std::move(key)); }));
  all.spawn(resync());
  co_await all.join();
}

asio::awaitable<void> service::work_on(object_key key) {
  object_ref object{key.kind, key.namespace_, key.name, {}};
  return key.kind == backup::info.kind ? tell_row(std::move(object)) : count_decision(look_at(std::move(object)));
}

asio::awaitable<service::keys> service::keys_of_run(bus::stored const& fact) {
  co_await runs_.view().until(fact.sequence);
  auto* found = runs_.find(subjects::name(subjects::part(fact.subject, 4)));
  bool ours = found && opens_or_lists(found->state);
  co_return ours ? std::vector{key_of(found->state.order.object)} : std::vector<object_key>();
}

asio::awaitable<service::keys> service::keys_of_object(bus::stored const& message) {
  co_await informer_.until(message.sequence);
  auto object = controller::reference(message.subject);
  if (may_change_count(informer_.objects(), object))  // a list creates many Backups: one count covers them all
    for (auto& each : repositories()) queue_.add_after(each, 1s);
  co_return concerned_by(object);
}

std::vector<object_key> service::concerned_by(object_ref const& changed) const {
  std::vector<object_key> keys;
  for (auto& each : repositories_of(informer_.objects(), changed)) keys.push_back(key_of(each));
  if (changed.kind == backup::info.kind) keys.push_back(key_of(changed));
  return keys;
}

std::vector<object_key> service::repositories() const {
  std::vector<object_key> keys;
  for (auto& each : all_repositories(informer_.objects())) keys.push_back(key_of(each));
  return keys;
}

/// Removes the lists of deleted repositories, which have no readers.
asio::awaitable<void> service::forget_lists() {
  std::set<std::string> there;
  for (auto& each : all_repositories(informer_.objects())) there.insert(each.uid);
  co_await lists_.forget(there);
}

/// Every 60 s a resync derives everything again from listed state alone. Writes nothing when nothing has changed.
asio::awaitable<void> service::resync() {
  for (;;) {
    std::erase_if(untold_, [](auto const& each) { return !each.second.whole; });  // it may be readable now
    for (auto& each : repositories()) queue_.add(each, app::urgency::background);
    controller::name_key after;
    auto look = [this](backup const& one) {
      if (awaits_status(one)) queue_.add(key_of(controller::ref_of(one)), app::urgency::background);
    };
    while (each_backup(informer_.objects(), after, at_a_time, look)) co_await asio::post(context_.loop, asio::use_awaitable);
    co_await queue_.background_taken();
    if (informer_.objects().listed) co_await forget_lists();
    co_await time_.sleep_for(60s);
  }
}

run_state const* service::newest(std::string const& uid, std::string_view plan, fitting fits) const {
  run_state const* best = nullptr;
  for (auto* run : runs_.of(uid, plan)) {
    if (run->order.object.uid != uid || !fits(*run)) continue;
    if (!best || controller::is_older(*best, *run)) best = run;
  }
  return best;
}

void service::measure(metrics::registry& into) const {
  service_base::measure(into);
  catalog_discovery::measure(informer_.objects(), into);
}

asio::awaitable<void> service::look_at(object_ref object) {
  auto repository = rules::find_repository(informer_.objects(), object);
  if (!repository || repository->meta->deletion_timestamp) co_return;
  auto* listed = newest(repository->meta->uid, "discover", is_over);
  bool fresh = listed && listed->outcome == run_outcome::Succeeded && lists_.head(repository->meta->uid).listed_by != listed->run &&
               repository->status->unique_ID;
  if (fresh) co_await read_list(*repository, *listed);
  repository = rules::find_repository(informer_.objects(), object);  // the tables may have changed meanwhile
  if (!repository) co_return;
  auto& uid = repository->meta->uid;
  auto* connect = newest(uid, "connect", whatever);
  auto fragment = status_of(informer_.objects(), *repository, connect, newest(uid, "discover", is_over), lists_.head(uid));
  auto rest = default_maintenance(informer_.objects(), *repository);
  co_await status_.report(repository->ref(), std::move(fragment), informer_.source_of(object));
  co_await ask_for(std::move(rest));
}

/// All pages, or nothing: in a partial list, snapshots would appear to be deleted.
asio::awaitable<std::optional<listed_rows>> service::rows_of(run_state const& run) {
  listed_rows all;
  for (std::int64_t page = 1; page <= run.row_pages; ++page) {
    auto key = run.run + "-" + std::to_string(run.attempt) + "-" + std::to_string(page);
    auto found = co_await bus_.last(std::string(subjects::answers), subjects::answer(context_.cluster, "gateway", "rows", key));
    if (!found || !*found) co_return std::nullopt;
    auto read = json::read<row_page>((*found)->body);
    if (!read) co_return std::nullopt;
    for (auto& row : read->rows) all.summary.add(row);
    std::ranges::move(read->rows, std::back_inserter(all.rows));
    all.page_ends.push_back(all.rows.size());
  }
  auto* result = rules::result_of(run);
  if (!result || result->rows != std::ssize(all.rows)) co_return std::nullopt;
  co_return all;
}

asio::awaitable<void> service::ask_for(changes wanted) {
  for (auto& each : wanted.create) {
    auto key =
        std::string(each.text("kind")) + "-" + std::string(each.text("metadata.namespace")) + "-" + std::string(each.text("metadata.name"));
    co_await send(create_object{std::move(each)}, key, 1min);
  }
  for (auto& each : wanted.remove) co_await send(delete_object{.object = each}, each.uid + "-row", 1min);
}

/// Works in slices, since a list may be long and other coroutines share the loop. Empty when the repository is deleted meanwhile.
asio::awaitable<std::optional<changes>> service::compare(object_ref repository, std::vector<snapshot_row> const& rows) {
  comparison comparison(rows, [this](std::string const& id) { return runs_.open().contains(id); }, time_.now());
  for (;;) {
    auto there = rules::find_repository(informer_.objects(), repository);
    if (!there || !there->status->unique_ID) co_return std::nullopt;
    if (!comparison.step(informer_.objects(), *there, at_a_time)) co_return std::move(comparison).result();
    co_await asio::post(context_.loop, asio::use_awaitable);
  }
}

/// Reads the newest list again if another replica processed it, or this one before a restart.
asio::awaitable<void> service::recall_list(object_ref repository) {
  auto list = lists_.head(repository.uid).list;
  if (list.empty() || untold_[repository.uid].list == list) co_return;
  untold_rows found{list};
  auto rows = co_await lists_.rows(repository.uid);
  auto wanted = rows ? co_await compare(repository, *rows) : std::nullopt;
  if (wanted) found.rows = std::move(wanted->untold), found.whole = true;
  untold_[repository.uid] = std::move(found);
}

/// Reports the status of a discovered Backup from a list that has its row; without one, the Backup waits for the next list.
asio::awaitable<void> service::tell_row(object_ref object) {
  controller::name_key key{object.namespace_, object.name};
  auto awaited = [&] {
    auto* there = controller::find(informer_.objects().of<backup>(), object.namespace_, object.name);
    return there && awaits_status(*there) ? there : nullptr;
  };
  if (!awaited()) {
    for (auto& [_, of_one] : untold_) of_one.rows.erase(key);
    co_return;
  }
  for (auto& each : all_repositories(informer_.objects())) {
    co_await recall_list(each);
    auto* there = awaited();
    auto repository = rules::find_repository(informer_.objects(), each);
    auto& rows = untold_[each.uid].rows;
    auto row = rows.find(key);
    if (!there || !repository || row == rows.end()) continue;
    co_await status_.report(controller::ref_of(*there), status_of(*there, *repository, row->second), informer_.source_of(object));
    co_return;
  }
  if (auto* there = awaited()) co_await status_.report(controller::ref_of(*there), not_listed(*there), informer_.source_of(object));
}

asio::awaitable<void> service::read_list(rules::any_repository const& repository, run_state run) {
  auto ref = repository.ref();
  auto read = co_await rows_of(run);
  if (!read) co_return log_.warning("list.incomplete", {{"run", run.run}, {"repository", ref.name}});
  auto again = rules::find_repository(informer_.objects(), ref);
  if (!again || !again->status->unique_ID) co_return;
  auto next = after_list(lists_.head(ref.uid), *again, run, std::move(read->summary), time_.now());
  auto wanted = co_await compare(ref, read->rows);
  if (!wanted) co_return;
  untold_[ref.uid] = {run.run, std::move(wanted->untold), true};
  log_.info(
      "repository.listed",
      {{"repository", ref.name}, {"snapshots", read->rows.size()}, {"created", wanted->create.size()}, {"removed", wanted->remove.size()}});
  co_await lists_.keep(std::move(next), *read);  // first: a Restore may wait for it
  co_await ask_for(*std::move(wanted));
  // Recorded last: after a crash before it, the same changes are made again under the same names.
  auto head = lists_.head(ref.uid);
  if (head.list == run.run && head.listed_by != run.run) head.listed_by = run.run, co_await lists_.write(std::move(head));
}

}  // namespace kopiur::catalog_discovery
