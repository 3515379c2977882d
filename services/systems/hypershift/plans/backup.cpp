#include "services/systems/hypershift/plans/backup.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"
#include "services/controller/core/jobs.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/hypershift/health.hpp"
#include "services/systems/hypershift/reasons.hpp"

namespace kopiur::hypershift {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

/// OADP's plugin waits 10 minutes in all (spec/etcd-backup.md B2, D12). What the cluster has to answer comes after etcd, and all waits
/// count from the first one.
constexpr duration whole_run = 9min, unhealthy_at_most = 5min, cluster_at_most = 6min;

preparation refuse(std::string why) { return refused{failure(failure_class::InvalidWork, std::move(why))}; }

preparation wait_for(std::string_view why, std::string message, std::vector<ask> asks, instant look_again, duration at_most) {
  return wait{
      .why = {std::string(why), std::move(message)}, .look_again = look_again, .asks = std::move(asks), .at_most = at_most, .limit = {}};
}

/// Nothing: there is a control plane.
std::optional<preparation> without_control_plane(cluster_view const& all, std::string const& ns) {
  auto found = control_plane_in(all.objects, ns);
  if (!found && found.error() == kind_presence::NotInstalled)
    return refuse("This cluster has no HostedControlPlane: its CustomResourceDefinition is not installed.");
  if (!found)
    return wait_for("ListingControlPlanes", "Waiting until the HostedControlPlanes are listed.", {}, all.now + 10s, cluster_at_most);
  if (!*found) return refuse("There is no HostedControlPlane in " + ns + ", so there is no etcd to back up.");
  if ((*found)->spec.etcd.management_type == "Unmanaged")
    return refuse("The etcd of the HostedControlPlane in " + ns + " is unmanaged: it runs elsewhere. Back it up there.");
  return std::nullopt;
}

/// Which resources of the cluster are in another etcd, as a sentence; empty: none are.
std::string missing_shards(controller::objects const& all, std::string const& ns) {
  auto found = control_plane_in(all, ns);
  auto* managed = found && *found && (*found)->spec.etcd.managed ? &*(*found)->spec.etcd.managed : nullptr;
  if (!managed || managed->shards.empty()) return {};
  return "Not in this snapshot: what is in " +
         encoding::join(managed->shards, ", ", [](etcd_shard const& one) { return "etcd-" + one.name; }) + ".";
}

/// Another run that holds the lease of the control plane; nothing: it is free, or expired.
std::optional<preparation> while_another_runs(cluster_view const& all, std::string const& ns, std::string const& run) {
  auto* lease = all.lease(lease_of(all.cluster, ns));
  if (!lease) return std::nullopt;
  for (auto& holder : lease->holders)
    if (holder.run != run && holder.until > all.now)
      return refused{failure(failure_class::LeaseTaken, "Another backup of the etcd in " + ns + " is in progress (" + holder.run + ").")};
  return std::nullopt;
}

std::expected<credentials_form, preparation> form_of(cluster_view const& all, backup_request const& wanted, std::string const& run) {
  auto key = run + "-credentials";
  auto cloud = wanted.s3 ? credentials_cloud::Aws : credentials_cloud::Azure;
  auto& ns = all.can.operator_namespace;
  auto* said = all.answer(look_at_secret::member, key);
  std::vector<ask> asks{{gateway_command{look_at_secret{ns, wanted.credentials, cloud}}, key}};
  auto looking = "The Secret " + ns + "/" + wanted.credentials + " is being looked at.";
  if (!said) return std::unexpected(wait_for("CheckingCredentials", looking, std::move(asks), all.now + 10s, cluster_at_most));
  if (said->code == answer_code::NotFound) return std::unexpected(refuse("The credentials are missing: " + said->message));
  auto read = said->object ? json::decode<credentials_form>(*said->object) : std::unexpected(json::problem{});
  if (said->code == answer_code::Ok && read) return std::move(*read);
  return std::unexpected(wait_for("CheckingCredentials", looking + " " + said->message, std::move(asks), all.now + 10s, cluster_at_most));
}

/// The bus has lost the run, but not its Job: it is observed to its end, whatever has become of etcd or of the Secret (B6.2).
bool has_job(cluster_view const& all, std::string const& run) { return !jobs_of(all.objects, all.can.operator_namespace, run).empty(); }

preparation prepare(cluster_view const& all, run_state const& run) {
  auto wanted = find_request(all.objects, run.order.object);
  if (!wanted || wanted->meta->uid != run.order.object.uid) return refuse("The object was deleted.");
  if (all.can.operator_namespace.empty()) return refuse("An etcd is backed up only in a cluster.");
  if (wanted->azure && !wanted->azure->encryption_key.empty())
    return refuse(
        "encryptionKeyURL cannot be used: Azure takes the name of an encryption scope, which a key's URL does not say. Leave it out, "
        "and set the container's default scope.");
  auto& ns = wanted->meta->namespace_;
  credentials_form form;
  std::string unchecked;
  if (!has_job(all, run.run)) {
    if (auto no = without_control_plane(all, ns)) return *std::move(no);
    auto health = look_at_etcd(all, ns, run.run);
    if (health.is != etcd_health::state::healthy) {
      auto why = health.is == etcd_health::state::unhealthy ? reason::unhealthy : "CheckingEtcd";
      return wait_for(why, std::move(health.message), std::move(health.asks), health.look_again, unhealthy_at_most);
    }
    unchecked = std::move(health.remark);
    if (auto no = while_another_runs(all, ns, run.run)) return *std::move(no);
    auto found = form_of(all, *wanted, run.run);
    if (!found) return std::move(found.error());
    form = std::move(*found);
  }
  auto plan = job_plan(all, *wanted, run.run, form);
  plan.deadline = std::max<duration>(whole_run - (all.now - run.ordered_at), 1min);
  auto missing = missing_shards(all.objects, ns);
  if (!unchecked.empty() && !missing.empty()) unchecked += " ";
  plan.resolved = json::value(unchecked + missing);
  return ready{std::move(plan)};
}

}  // namespace

std::expected<hosted_control_plane const*, kind_presence> control_plane_in(controller::objects const& all, std::string const& ns) {
  if (auto presence = all.presence_of<hosted_control_plane>(); presence != kind_presence::Listed) return std::unexpected(presence);
  for (auto& [_, one] : in_namespace(all.of<hosted_control_plane>(), ns))
    if (!one.metadata.deletion_timestamp) return &one;
  return nullptr;
}

plan_kind const backup_plan{.name = "etcd-backup", .prepare = prepare, .report = report, .follow = pass_on, .ends_with_its_object = true};

}  // namespace kopiur::hypershift
