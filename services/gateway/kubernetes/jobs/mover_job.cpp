#include "services/gateway/kubernetes/jobs/mover_job.hpp"

#include "services/gateway/kubernetes/jobs/job_grants.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/job_registry.hpp"
#include "services/gateway/kubernetes/jobs/pod_log.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using proto::answer_code;

namespace {

constexpr duration log_may_take = 30s;
constexpr std::size_t tail_limit = 4096;

}  // namespace

mover_job::mover_job(job_context& in, object_key its_key, proto::create_job const& command, json::value its_job)
    : key(std::move(its_key)),
      run(command.run),
      attempt(command.attempt),
      container(main_container(command)),
      job(std::move(its_job)),
      in_(in),
      order_(in.orders.pack(json::write(command))),
      woken_(in.registry.loop()) {}

/// Its Secret exists and contains the work: drops what only the Secret needed.
void mover_job::furnished() {
  auto without = command();
  if (auto* task = std::get_if<proto::kopia_task>(&without.body)) *task = {};
  without.volumes.clear(), without.pod = {};
  order_ = in_.orders.pack(json::write(without));
}

job_sight mover_job::sight() const {
  auto* pod = in_.registry.pod_of(*this);
  auto sight = look_at(job, pod ? &pod->object : nullptr, pod && pod->gone);
  sight.over = sight.over || no_pod_;
  return sight;
}

void mover_job::changed() {
  if (!finished_) {
    auto status = sight().status;
    status.finished_at.reset();
    if (status.phase == proto::job_phase::Starting && status.reason.empty() && trouble_)
      std::tie(status.reason, status.message) = *trouble_;
    in_.registry.publish(*this, std::move(status));
  }
  woken_.notify();
  go_on();
}

void mover_job::lose() {
  gone = true;
  woken_.notify();
}

void mover_job::stop_if_deleted() {
  if (is_terminating(job) && removed_at(job).empty()) stop();
}

void mover_job::stop() {
  if (!std::exchange(stopped_, true)) in_.tasks.spawn(end_pods());
}

/// Twice: the controller may have created a pod before it saw the deletion.
awaitable<void> mover_job::end_pods() {
  auto self = shared_from_this();
  for (int clean = 0; clean < 2 && !gone; co_await in_.access.time.sleep_for(job_look))
    clean = co_await until_no_pod_runs(in_.access, key, run) ? clean + 1 : 0;
  no_pod_ = true;
  changed();
}

awaitable<void> mover_job::pause(duration longest) {
  co_await app::first_of(woken_.wait(woken_.epoch()), in_.access.time.sleep_for(longest));
}

awaitable<void> mover_job::settled() {
  while (!is_settled()) co_await woken_.wait(woken_.epoch());
}

awaitable<void> mover_job::begin(bool has_secret) {
  auto self = shared_from_this();
  if (has_secret)
    furnished();
  else
    co_await furnish();
  waits_ = true, asked_ = in_.access.time.now();
  go_on();
}

/// Thousands may wait to start: a waiting one uses no memory but its entry.
void mover_job::go_on() {
  if (waits_ && (is_settled() || sight().has_log)) waits_ = false, in_.tasks.spawn(follow());
}

awaitable<void> mover_job::follow() {
  auto self = shared_from_this();
  co_await attend();
  if (!gone && !in_.registry.pod_of(*this)) {
    co_await look_for_pod();
    co_await attend();
  }
  co_await finish();
}

/// The two watches are not synchronised: a Job may be reported as over before its pod was reported at all.
awaitable<void> mover_job::look_for_pod() {
  auto found = co_await pods_named(in_.access.api, key);
  if (!found) co_return;
  for (auto& each : items_of(std::move(*found))) {
    each.set("kind", "Pod");
    in_.registry.take_pod(std::move(each));
  }
}

/// Reads its log, to the end if there is one, until the mover is over.
awaitable<void> mover_job::attend() {
  auto over_for_long = [](mover_job& one) -> awaitable<void> {
    co_await one.settled();
    if (!one.gone) co_await one.in_.access.time.sleep_for(log_may_take);
  };
  if (sight().has_log) co_await app::first_of(follow_log(), over_for_long(*this));
  co_await settled();
}

/// What its pods are granted. The Job is read again: its removal may have revoked the grants just before the last one was created.
awaitable<outcome<void>> mover_job::obtain_grants(proto::create_job const& command) {
  auto& grants = grants_of(command.body);
  if (grants.empty()) co_return outcome<void>();
  auto made = co_await grant(in_.access.objects, command, in_.seal_secret);
  auto there = co_await in_.access.objects.read({key.kind, key.namespace_, key.name, std::string(uid_of(job))});
  bool is_over = there ? !removed_at(*there).empty() : there.error().code == answer_code::NotFound;
  if (is_over) {
    (void)co_await revoke(in_.access.objects, run, refs_of(grants), in_.seal_secret);
    co_return refuse(answer_code::Conflict, "The Job was removed meanwhile.");
  }
  if (made && !there) co_return std::unexpected(there.error());
  co_return made;
}

/// Creates the Secret that it waits for. What is missing is reported as the reason of waiting, as a kubelet does.
awaitable<void> mover_job::furnish() {
  auto const order = command();
  while (!is_settled() && !sight().has_log && removed_at(job).empty()) {
    auto made = co_await obtain_grants(order);
    auto trouble = "GrantFailed";
    if (made) {
      made = co_await make_secret(in_.access.objects, in_.contents, order, std::string(uid_of(job)));
      trouble = !made && made.error().code == answer_code::NotFound ? "SecretMissing" : "SecretFailed";
    }
    if (made) {
      furnished();
      trouble_.reset();
      co_return changed();
    }
    trouble_ = {trouble, made.error().message};
    changed();
    co_await pause(job_look);
  }
}

bool mover_job::is_strange(instant now) const { return waits_ && now - asked_ >= strange_after && sight().status.reason.empty(); }

void mover_job::explain(warnings const* events, instant now) {
  asked_ = now;
  if (!events) return;
  auto* pod = in_.registry.pod_of(*this);
  auto found = events->find(uid_of(pod ? pod->object : job));
  trouble_ = found == events->end() ? std::nullopt : std::optional(found->second);
  changed();
}

/// Until the log of a mover that is over has been read completely.
awaitable<void> mover_job::follow_log() {
  while (!gone) {
    auto* pod = in_.registry.pod_of(*this);
    if (!pod || pod->gone) co_return;
    mover_output said({[&](json::value progress) { in_.tell(job_progress{run, std::move(progress)}); },
                       [&](proto::output_page rows) {
                         pages.push_back(json::write(rows));
                         in_.tell(job_rows{run, attempt, std::ssize(pages), std::move(rows)});
                       }},
                      in_.output);
    pages.clear();
    auto end = co_await read_log(in_.access.api, {"Pod", key.namespace_, std::string(pod->object.text("metadata.name"))}, container, said);
    rest_ = said.rest(tail_limit);
    if (end == log_end::TooLarge) {
      too_large_ = true;
      co_return stop();
    }
    for (int left = 5; end == log_end::Whole && left > 0 && !is_settled(); --left) co_await pause(job_look);
    if (end != log_end::Broken && is_settled()) co_return;
    co_await in_.access.time.sleep_for(job_look);
  }
}

awaitable<void> mover_job::finish() {
  if (gone) co_return;
  if (!removed_at(job).empty()) co_return in_.registry.drop(key);
  auto rest = co_await without_secrets(in_.access.objects, command(), key, rest_);
  auto seen = sight();
  if (too_large_) seen.end.stopped = stop_output;
  auto status = ended(seen.status, command(), seen.end, seen.status.finished_at.value_or(in_.access.time.now()));
  status.row_pages = std::ssize(pages);
  status.log_tail = std::move(rest);
  finished_ = true;
  in_.registry.publish(*this, std::move(status));
}

}  // namespace kopiur::gateway::kubernetes
