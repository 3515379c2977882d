#include "services/gateway/kubernetes/jobs/jobs_entry.hpp"
#include "services/gateway/kubernetes/jobs/pod_log.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

/// One Job, from its start to its end.
namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using proto::answer_code;

namespace {

constexpr duration log_may_take = 30s;
constexpr std::size_t tail_limit = 4096;

}  // namespace

awaitable<void> jobs::pause(entry& one, duration longest) {
  co_await app::first_of(one.woken.wait(one.woken.epoch()), time_.sleep_for(longest));
}

awaitable<void> jobs::settled(entry& one) {
  while (!is_settled(one)) co_await one.woken.wait(one.woken.epoch());
}

awaitable<void> jobs::begin(held one) {
  while (!told() || !secrets_told_) co_await listed_.wait(listed_.epoch());  // a Job without its pod looks lost
  if (have_secrets_.erase(std::string(uid_of(one->job))))
    one->furnished();
  else
    co_await furnish(one);
  one->waits = true, one->asked = time_.now();
  go_on(one);
}

/// Thousands may wait to start: a waiting one uses no memory but its entry.
void jobs::go_on(held const& one) {
  if (one->waits && (is_settled(*one) || sight_of(*one).has_log)) one->waits = false, tasks_.spawn(follow(one));
}

awaitable<void> jobs::follow(held one) {
  co_await attend(*one);
  if (!one->gone && !pod_of(*one)) {
    co_await look_for_pod(*one);
    co_await attend(*one);
  }
  co_await finish(one);
}

/// Reads its log, to the end if there is one, until the mover is over.
awaitable<void> jobs::attend(entry& one) {
  auto over_for_long = [](jobs& all, entry& job) -> awaitable<void> {
    co_await all.settled(job);
    if (!job.gone) co_await all.time_.sleep_for(log_may_take);
  };
  if (sight_of(one).has_log) co_await app::first_of(follow_log(one), over_for_long(*this, one));
  co_await settled(one);
}

/// Creates the Secret that it waits for. What is missing is reported as the reason of waiting, as a kubelet does.
awaitable<void> jobs::furnish(held one) {
  while (!is_settled(*one) && !sight_of(*one).has_log && removed_at(one->job).empty()) {
    auto made = co_await make_secret(objects_, contents_, one->command(), std::string(uid_of(one->job)));
    if (made) {
      one->furnished();
      one->trouble.reset();
      co_return refresh(one);
    }
    one->trouble = {made.error().code == answer_code::NotFound ? "SecretMissing" : "SecretFailed", made.error().message};
    refresh(one);
    co_await pause(*one, job_look);
  }
}

/// Looks up those that have waited for long and report no reason.
awaitable<void> jobs::explain_all() {
  for (;; co_await time_.sleep_for(job_look)) {
    std::vector<held> strange;
    for (auto& [_, one] : entries_)
      if (one->waits && time_.now() - one->asked >= strange_after && sight_of(*one).status.reason.empty()) strange.push_back(one);
    for (auto& one : strange) {
      one->asked = time_.now();
      co_await explain(one);
    }
  }
}

/// Neither the Job nor its pod reports why nothing happens (a quota, a volume that cannot be mounted). Events do.
awaitable<void> jobs::explain(held one) {
  auto all = co_await warnings_.of(one->key.namespace_);
  if (!all) co_return;
  auto* pod = pod_of(*one);
  auto found = (*all)->find(uid_of(pod ? pod->object : one->job));
  one->trouble = found == (*all)->end() ? std::nullopt : std::optional(found->second);
  refresh(one);
}

awaitable<outcome<warnings>> jobs::warnings_in(std::string ns) {
  auto events = co_await api_.ask({.path = path_of(*resource_of("Event"), ns), .query = {{"fieldSelector", "type=Warning"}}});
  if (!events) co_return refused(events.error());
  co_return newest_warnings(items_of(std::move(*events)));
}

/// Until the log of a mover that is over has been read completely.
awaitable<void> jobs::follow_log(entry& one) {
  while (!one.gone) {
    auto* pod = pod_of(one);
    if (!pod || pod->gone) co_return;
    mover_output said({[&](proto::work_progress progress) { sinks_.tell(job_progress{one.run, std::move(progress)}); },
                       [&](proto::row_page rows) {
                         one.pages.push_back(std::move(rows));
                         sinks_.tell(job_rows{one.run, one.attempt, std::ssize(one.pages), one.pages.back()});
                       }});
    one.pages.clear();
    auto end = co_await read_log(api_, {"Pod", one.key.namespace_, std::string(pod->object.text("metadata.name"))}, said);
    one.rest = said.rest(tail_limit);
    for (int left = 5; end == log_end::Whole && left > 0 && !is_settled(one); --left) co_await pause(one, job_look);
    if (end != log_end::Broken && is_settled(one)) co_return;
    co_await time_.sleep_for(job_look);
  }
}

awaitable<void> jobs::finish(held one) {
  if (one->gone) co_return;
  if (!removed_at(one->job).empty()) co_return drop(one->key);
  auto rest = co_await without_secrets(objects_, one->command(), one->key, one->rest);
  auto sight = sight_of(*one);
  auto status = ended(sight.status, one->command(), sight.end, sight.status.finished_at.value_or(time_.now()));
  status.row_pages = std::ssize(one->pages);
  status.log_tail = std::move(rest);
  one->finished = true;
  publish(*one, std::move(status));
}

}  // namespace kopiur::gateway::kubernetes
