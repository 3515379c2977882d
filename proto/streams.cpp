#include "proto/streams.hpp"

#include <stdexcept>

#include "proto/kinds.hpp"
#include "proto/subjects.hpp"

namespace kopiur::proto {

using namespace std::chrono_literals;
using bus::consumer_config;
using bus::stream_config;

namespace {

constexpr duration day = 24h;

stream_config stream(std::string_view name, std::vector<std::string> subjects, int replicas) {
  return {.name = std::string(name),
          .subjects = std::move(subjects),
          .discard = stream_config::discard_policy::fresh,
          .allow_ttl = true,
          .allow_rollup = true,
          .replicas = replicas};
}

struct share {
  std::string_view stream;
  std::int64_t thousandths;
};
/// Nine tenths of the store; the rest is for the server's own files.
constexpr share shares[] = {{subjects::runs, 480},    {subjects::resources, 150}, {subjects::states, 50},
                            {subjects::status, 50},   {subjects::answers, 50},    {subjects::lists, 50},
                            {subjects::requests, 25}, {subjects::commands, 25},   {subjects::dead_letters, 20}};

std::int64_t budget(std::string const& stream, std::int64_t store) {
  for (auto& each : shares)
    if (each.stream == stream) return store / 1000 * each.thousandths;
  throw std::logic_error("The stream " + stream + " has no share of the store.");
}

consumer_config durable_on(std::string_view stream, std::string name, std::vector<std::string> filters = {}) {
  return {
      .stream = std::string(stream), .name = std::move(name), .filters = std::move(filters), .backoff = {10s, 10s, 30s, 1min, 2min, 5min}};
}

/// A durable whose messages say that something has changed: their readers have the content in their views.
consumer_config triggers_on(std::string_view stream, std::string name, std::vector<std::string> filters) {
  auto config = durable_on(stream, std::move(name), std::move(filters));
  config.headers_only = true;
  return config;
}

/// Subjects of mirrored objects of these kinds in one cluster.
template <class... Kind>
std::vector<std::string> of_kinds_in(std::string const& cluster) {
  return {subjects::resource(cluster, Kind::info.kind, "*", "*")...};
}

}  // namespace

std::vector<stream_config> streams(int replicas, std::int64_t store) {
  auto requests = stream(subjects::requests, {"kopiur.v1.req.>"}, replicas);
  requests.max_age = 7 * day, requests.max_message = 64 * 1024, requests.duplicates = 30min;

  auto resources = stream(subjects::resources, {"kopiur.v1.resource.>"}, replicas);
  resources.max_per_subject = 1;

  auto runs = stream(subjects::runs, {"kopiur.v1.run.>"}, replicas);
  runs.max_age = 90 * day;

  auto states = stream(subjects::states,
                       {"kopiur.v1.repository.>", "kopiur.v1.schedule.>", "kopiur.v1.lease.>", "kopiur.v1.lease-waiter.>",
                        "kopiur.v1.watch.>", "kopiur.v1.claim.>"},
                       replicas);
  states.max_per_subject = 32;

  auto commands = stream(subjects::commands, {"kopiur.v1.cmd.>", "kopiur.v1.lease-req.>"}, replicas);
  commands.retention = stream_config::retention_policy::workqueue;
  commands.max_per_subject = 1, commands.discard_new_per_subject = true;

  auto status = stream(subjects::status, {"kopiur.v1.status.>"}, replicas);
  status.max_per_subject = 1;

  auto answers = stream(subjects::answers, {"kopiur.v1.answer.>"}, replicas);
  answers.max_per_subject = 1, answers.max_age = 1h;

  auto lists = stream(subjects::lists, {"kopiur.v1.list.>"}, replicas);
  lists.max_per_subject = 1;

  // The only one that drops its oldest: copies of messages that nobody could read must not stop those that can be.
  auto dead = bus::dead_letter_stream(dead_letter_store());
  dead.replicas = replicas;

  std::vector<stream_config> all{requests, resources, runs, states, commands, status, answers, lists, dead};
  for (auto& each : all) each.max_bytes = budget(each.name, store);
  return all;
}

std::vector<consumer_config> consumers(std::string const& cluster) {
  auto t = subjects::token(cluster);
  return {
      triggers_on(subjects::resources, durable::orchestration_resources(cluster), {"kopiur.v1.resource." + t + ".>"}),
      triggers_on(subjects::runs, durable::orchestration_runs(cluster), {"kopiur.v1.run." + t + ".>"}),
      triggers_on(subjects::states, durable::orchestration_leases(cluster), {"kopiur.v1.lease.>", "kopiur.v1.lease-waiter.*." + t + ".>"}),
      triggers_on(subjects::answers, durable::orchestration_answers(cluster), {"kopiur.v1.answer." + t + ".>"}),
      durable_on(subjects::commands, durable::lease_requests, {"kopiur.v1.lease-req.>"}),
      triggers_on(subjects::resources, durable::retention_resources(cluster),
                  of_kinds_in<backup, backup_config, backup_schedule, restore, etcd_backup, hcp_etcd_backup>(t)),
      triggers_on(subjects::runs, durable::discovery_runs(cluster), {"kopiur.v1.run." + t + ".>"}),
      triggers_on(subjects::resources, durable::discovery_resources(cluster),
                  of_kinds_in<backup, repository, cluster_repository, maintenance>(t)),
      triggers_on(subjects::resources, durable::provisioner_resources(cluster), of_kinds_in<buckety, buckety_access, secret>(t)),
      durable_on(subjects::commands, durable::gateway_commands(cluster), {"kopiur.v1.cmd." + t + ".gateway.>"}),
      durable_on(subjects::commands, durable::gateway_hooks(cluster), {subjects::command(cluster, subjects::gateway_hooks, "*", "*")}),
      durable_on(subjects::requests, durable::gateway_requests(cluster), {"kopiur.v1.req." + t + ".>"}),
      bus::dead_letter_consumer(dead_letter_store()),
  };
}

bus::dead_letter_options dead_letter_store() {
  return {.stream = std::string(subjects::dead_letters), .erase_from = {std::string(subjects::commands)}};
}

std::vector<former_durable> former_durables() {
  using std::string;
  return {{string(subjects::resources), "mover-orchestration-resources", durable::orchestration_resources},
          {string(subjects::runs), "mover-orchestration-runs", durable::orchestration_runs},
          {string(subjects::states), "mover-orchestration-leases", durable::orchestration_leases},
          {string(subjects::answers), "mover-orchestration-answers", durable::orchestration_answers},
          {string(subjects::resources), "retention-resources", durable::retention_resources},
          {string(subjects::runs), "catalog-discovery-runs", durable::discovery_runs},
          {string(subjects::resources), "catalog-discovery-resources", durable::discovery_resources}};
}

namespace durable {
std::string orchestration_resources(std::string const& cluster) { return "mover-orchestration-resources-" + subjects::token(cluster); }
std::string orchestration_runs(std::string const& cluster) { return "mover-orchestration-runs-" + subjects::token(cluster); }
std::string orchestration_leases(std::string const& cluster) { return "mover-orchestration-leases-" + subjects::token(cluster); }
std::string orchestration_answers(std::string const& cluster) { return "mover-orchestration-answers-" + subjects::token(cluster); }
std::string retention_resources(std::string const& cluster) { return "retention-resources-" + subjects::token(cluster); }
std::string discovery_runs(std::string const& cluster) { return "catalog-discovery-runs-" + subjects::token(cluster); }
std::string discovery_resources(std::string const& cluster) { return "catalog-discovery-resources-" + subjects::token(cluster); }
std::string provisioner_resources(std::string const& cluster) { return "provisioner-resources-" + subjects::token(cluster); }
std::string gateway_commands(std::string const& cluster) { return "gateway-commands-" + subjects::token(cluster); }
std::string gateway_hooks(std::string const& cluster) { return "gateway-hooks-" + subjects::token(cluster); }
std::string gateway_requests(std::string const& cluster) { return "gateway-requests-" + subjects::token(cluster); }
}  // namespace durable

}  // namespace kopiur::proto
