#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

/// A config's hooks in a plan: the calls, and how long the application stays quiesced.
namespace kopiur::plans {

using namespace proto;

namespace {

std::int64_t seconds_of(duration length) { return std::chrono::ceil<std::chrono::seconds>(length).count(); }

/// A hook as the gateway runs it; `name`: of the Job, for runJob hooks.
hook_call call_of(hook const& one, std::string const& ns, std::string const& run, std::string const& name) {
  if (auto* exec = std::get_if<workload_exec_hook>(&one.action))
    return exec_in_pod{.run = run,
                       .namespace_ = ns,
                       .pod_selector = exec->pod_selector,
                       .container = exec->container,
                       .command = exec->command,
                       .timeout_seconds = seconds_of(exec->timeout)};
  if (auto* job = std::get_if<run_job_hook>(&one.action))
    return run_user_job{.run = run, .namespace_ = ns, .name = name, .job_spec = job->job_spec, .timeout_seconds = seconds_of(job->timeout)};
  auto& http = std::get<http_request_hook>(one.action);
  return call_http{.run = run,
                   .namespace_ = ns,
                   .url = http.url,
                   .method = std::string(json::to_text(http.method)),
                   .body = http.body.value_or(""),
                   .headers = http.headers,
                   .timeout_seconds = seconds_of(http.timeout)};
}

/// Job names contain the run and the time of its order: a run that is recreated after a lost bus gets new Jobs.
std::vector<plan_hook> calls_of(std::vector<hook> const& hooks, std::string const& ns, run_state const& run, std::string const& when) {
  std::vector<plan_hook> all;
  auto life = hash::digest_hex({to_text(run.ordered_at)}, 6);
  for (auto& each : hooks) {
    auto which = std::to_string(all.size());
    all.push_back({.name = when + "Snapshot[" + which + "]",
                   .call = call_of(each, ns, run.run, run.run + "-" + when + "-" + which + "-" + life),
                   .continue_on_failure = each.continue_on_failure});
  }
  return all;
}

/// Sets how long the hooks keep the application quiesced: until a copy exists, or until all of it was read.
void add_rest(run_plan& plan, copy_method method, std::optional<duration> stated) {
  constexpr duration usual = std::chrono::minutes(5);  // a snapshot takes seconds
  if (plan.before.empty()) return;
  bool copies = method != copy_method::Direct;
  plan.rests_at_most = stated ? stated : copies ? std::optional(usual) : std::nullopt;
  if (plan.rests_at_most)
    for (auto& each : plan.before)
      std::visit([&](auto& call) { call.timeout_seconds = std::min(call.timeout_seconds, seconds_of(*plan.rests_at_most)); }, each.call);
  plan.rests = rests_until(method);
}

}  // namespace

copy_method copying_of(cluster_view const& all, backup_config const& config) { return config.spec.copy_method.value_or(all.can.copy); }

rest_until rests_until(copy_method method) {
  switch (method) {
    case copy_method::Direct:
      return rest_until::Read;
    case copy_method::Snapshot:
      return rest_until::Copied;
    case copy_method::Clone:
      return rest_until::Started;
  }
  __builtin_unreachable();
}

bool has_hooks(backup_config const& config) {
  return config.spec.hooks && !(config.spec.hooks->before_snapshot.empty() && config.spec.hooks->after_snapshot.empty());
}

backup_config const* ordered_config(cluster_view const& all, run_state const& run) {
  return controller::find(all.objects.of<backup_config>(), run.order.object.namespace_, run.order.object.name);
}

std::string application_key(cluster_view const& all, backup_config const& config) {
  return "application/" + all.cluster + "/" + config.metadata.namespace_ + "/" + config.metadata.name;
}

std::vector<run_state const*> sharing_hooks(cluster_view const& all, backup_config const& config) {
  auto runs = all.runs_of(config.metadata.uid, occasion_plan.name);
  for (auto* one : rules::backups_of(all.objects, config))
    if (auto* open = open_run_of(all, *one)) runs.push_back(open);
  std::ranges::copy(all.runs_of(config.metadata.uid, unquiesce_plan.name), std::back_inserter(runs));
  return runs;
}

std::vector<run_state const*> sharing_ordered_hooks(cluster_view const& all, run_state const& run) {
  auto* config = ordered_config(all, run);
  return config ? sharing_hooks(all, *config) : std::vector<run_state const*>{};
}

std::optional<refused> add_hooks(cluster_view const& all, backup_config const& config, copy_method method, run_state const& run,
                                 run_plan& plan) {
  if (!has_hooks(config)) return {};
  auto &before = config.spec.hooks->before_snapshot, &after = config.spec.hooks->after_snapshot;
  auto needs_a_cluster = [](hook const& each) { return !std::holds_alternative<http_request_hook>(each.action); };
  if (!all.can.pods && (std::ranges::any_of(before, needs_a_cluster) || std::ranges::any_of(after, needs_a_cluster)))
    return refused{invalid("Hooks of the kinds workloadExec and runJob need a cluster; outside one only httpRequest is possible.")};
  auto& ns = config.metadata.namespace_;
  plan.before = calls_of(before, ns, run, "before"), plan.after = calls_of(after, ns, run, "after");
  add_rest(plan, method, stated_seconds(longest::quiesce, config.spec.hooks->quiesce_timeout_seconds));
  plan.leases.push_back({application_key(all, config), lease_mode::Exclusive});
  return {};
}

}  // namespace kopiur::plans
