#include "services/gateway/kubernetes/jobs/jobs.hpp"

#include "proto/core/kubernetes.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

reflector::options with_our_run(std::string_view kind, jobs::settings const& settings) {
  return {.resource = *resource_of(kind), .namespace_ = settings.namespace_, .selector = ours("run"), .told = settings.told};
}

}  // namespace

jobs::jobs(client& api, clock& time, asio::any_io_executor loop, settings settings, sinks sinks)
    : api_(api),
      time_(time),
      settings_(std::move(settings)),
      sinks_(std::move(sinks)),
      objects_(api),
      contents_(time, loop, {}, [this](object_key key) { return objects_.read({key.kind, key.namespace_, key.name, ""}); }),
      tasks_(loop),
      context_{.access = {api, time, objects_},
               .contents = contents_,
               .tell = sinks_.tell,
               .tasks = tasks_,
               .registry = registry_,
               .seal_secret = settings_.pods.seal_secret,
               .output = settings_.output},
      registry_(time, loop, settings_.pods.seal_secret, context_,
                {.tell = sinks_.tell, .begins = [this](held_job one) { tasks_.spawn(begin(std::move(one))); }}),
      creator_(context_.access, loop, settings_.pods, settings_.claim),
      remover_(context_.access, settings_.pods, settings_.kept, registry_),
      sweep_(context_.access, {.namespace_ = settings_.namespace_, .seal_secret = settings_.pods.seal_secret, .told = settings_.told}),
      jobs_seen_(api, time, with_our_run(proto::job::info.kind, settings_),
                 {[this](json::value job) { registry_.take_job(std::move(job)); },
                  [this](object_key key, std::string uid) { registry_.lose_job(key, uid); }, [this] { one_listed(); }}),
      pods_seen_(api, time, with_our_run("Pod", settings_),
                 {[this](json::value pod) { registry_.take_pod(std::move(pod)); },
                  [this](object_key, std::string uid) { registry_.lose_pod(uid); }, [this] { one_listed(); }}),
      warnings_(time, loop, {.age = strange_after, .rest_factor = 20}, [this](std::string ns) { return warnings_in(std::move(ns)); }),
      listed_(loop) {}

awaitable<void> jobs::run() {
  tasks_.spawn(jobs_seen_.run());
  tasks_.spawn(pods_seen_.run());
  tasks_.spawn(learn_secrets());
  tasks_.spawn(explain_all());
  if (settings_.grants) tasks_.spawn(sweep_.run());
  co_await tasks_.join();
}

/// A command comes again when its answer was lost, after a restart for hundreds of Jobs: those that are known cost no request.
awaitable<outcome<std::string>> jobs::create(proto::create_job command) {
  auto name = job_name(command.run, command.attempt);
  if (!name) co_return std::unexpected(name.error());
  if (auto uid = registry_.standing(key_to<proto::job>(command.namespace_, *name))) co_return *uid;
  auto made = co_await creator_.create(std::move(command));
  if (!made) co_return std::unexpected(made.error());
  auto uid = std::string(uid_of(*made));
  if (!registry_.contains(key_of(*made))) registry_.take_job(std::move(*made));  // the watch reports it later; its Secret is created now
  co_return uid;
}

void jobs::one_listed() {
  if (!told()) return;
  sinks_.listed();
  listed_.notify();
}

awaitable<void> jobs::begin(held_job one) {
  while (!told() || !secrets_told_) co_await listed_.wait(listed_.epoch());  // a Job without its pod looks lost
  co_await one->begin(have_secrets_.erase(std::string(uid_of(one->job))) > 0);
}

/// Learns once which Jobs have their Secrets. A new gateway would otherwise send thousands of creates for Secrets that exist.
awaitable<void> jobs::learn_secrets() {
  auto options = with_our_run(proto::secret::info.kind, settings_);
  options.metadata_only = true;
  for (reflector secrets(api_, time_, std::move(options)); !secrets_told_;) {
    auto change = co_await secrets.next();
    if (std::holds_alternative<kopiur::kubernetes::started_over>(change)) have_secrets_.clear();
    auto* secret = std::get_if<kopiur::kubernetes::object_is>(&change);
    auto* job = secret && !is_terminating(secret->object) ? owning_job(secret->object) : nullptr;
    if (job && job->text("name") == secret->object.text("metadata.name")) have_secrets_.emplace(job->text("uid"));
    secrets_told_ = std::holds_alternative<kopiur::kubernetes::all_told>(change);
  }
  listed_.notify();
}

/// Explains those that have waited for long and report no reason.
awaitable<void> jobs::explain_all() {
  for (;; co_await time_.sleep_for(job_look))
    for (auto& one : registry_.strange(time_.now())) {
      auto events = co_await warnings_.of(one->key.namespace_);
      one->explain(events ? events->get() : nullptr, time_.now());
    }
}

awaitable<outcome<warnings>> jobs::warnings_in(std::string ns) {
  auto events = co_await api_.ask({.path = path_of(*resource_of("Event"), ns), .query = {{"fieldSelector", "type=Warning"}}});
  if (!events) co_return refused(events.error());
  co_return newest_warnings(items_of(std::move(*events)));
}

}  // namespace kopiur::gateway::kubernetes
