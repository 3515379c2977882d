#include "services/gateway/kubernetes/jobs/job_creator.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/jobs/job_grants.hpp"
#include "services/gateway/kubernetes/jobs/pod_options.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/objects/workload.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"
#include "services/gateway/kubernetes/volumes/populate.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

namespace {

answer_code code_without_workload(answer_code code, proto::create_job const& command) {
  if (code != answer_code::NotFound) return code;
  return command.pod->waits_for_workload ? answer_code::Unavailable : answer_code::Invalid;
}

}  // namespace

job_creator::job_creator(pod_access in, asio::any_io_executor const& loop, pod_settings settings, known_claim claim)
    : in_(in),
      settings_(std::move(settings)),
      claim_(std::move(claim)),
      pods_now_(in_.time, loop, {}, [this](std::string ns) { return pods_on_nodes(std::move(ns), false); }),
      pods_cached_(in_.time, loop, {}, [this](std::string ns) { return pods_on_nodes(std::move(ns), true); }) {}

awaitable<outcome<json::value>> job_creator::create(proto::create_job command) {
  auto manifest = co_await manifest_of(command);
  if (!manifest) co_return manifest;
  if (auto ready = co_await make_account(in_.objects, command); !ready) co_return std::unexpected(ready.error());
  auto made = co_await in_.objects.create(std::move(*manifest));
  if (!made) co_return made;
  auto name = "Job " + std::string(made->text("metadata.name"));
  if (!removed_at(*made).empty())
    co_return refuse(answer_code::Removed, "The " + name + " was removed before; this attempt is not started again.");
  if (is_held(*made) && is_terminating(*made))
    co_return refuse(answer_code::Removed, "The " + name + " was deleted, not by kopiur; this attempt is not started again.");
  if (!command_of(*made, settings_.seal_secret))
    co_return refuse(answer_code::AlreadyExists, "A " + name + " exists, and kopiur did not create it: delete it.");
  co_return made;
}

awaitable<outcome<json::value>> job_creator::manifest_of(proto::create_job command) {
  if (!command.pod || !command.pod->volumes)
    co_return refuse(answer_code::Unavailable,
                     "This command is of an older mover-orchestration, which does not state what the pod needs: it "
                     "is sent again when that one has been replaced.");
  auto clear = co_await resolved(in_.api, command.namespace_, *command.pod);
  if (!clear) co_return refuse(code_without_workload(clear.error().code, command), clear.error().message);
  command.pod = std::move(*clear);
  if (auto free = co_await free_to_fill(pods_now_, command); !free) co_return std::unexpected(free.error());
  auto placement = co_await placement_for(in_.api, claim_, pods_cached_, command);
  if (!placement) co_return std::unexpected(placement.error());
  auto fresh = co_await has_fresh_target(command);
  if (!fresh) co_return std::unexpected(fresh.error());
  auto images = co_await images_of_workloads(command);
  if (!images) co_return std::unexpected(images.error());
  auto manifest = job_manifest(command, settings_, {std::move(*placement), *fresh, std::move(*images)});
  if (!manifest) co_return manifest;
  if (auto may = co_await allowed(in_.api, *manifest); !may) co_return std::unexpected(may.error());
  co_return manifest;
}

awaitable<outcome<std::map<std::string, std::string>>> job_creator::images_of_workloads(proto::create_job const& command) {
  std::map<std::string, std::string> images;
  auto* plan = std::get_if<proto::pod_plan>(&command.body);
  if (!plan) co_return images;
  auto all = plan->init;
  all.push_back(plan->main);
  for (auto const& each : all) {
    if (!each.image_of) continue;
    auto image = co_await image_of(in_.api, *each.image_of);
    if (!image) co_return std::unexpected(image.error());
    images[each.name] = std::move(*image);
  }
  co_return images;
}

/// Whether the claim that the Job fills was created for it, and is still empty. The mark of the claim was verified before the command was
/// sent; here it must name the Restore that the command serves.
awaitable<outcome<bool>> job_creator::has_fresh_target(proto::create_job const& command) {
  auto* target = target_of(command);
  if (!target) co_return false;
  auto claim = co_await claim_at(in_.api, claim_, key_to<proto::persistent_volume_claim>(command.namespace_, target->claim_name));
  if (!claim) co_return std::unexpected(claim.error());
  bool filled = !annotation(*claim, proto::annotation::restored_by).empty();
  auto restore = annotation(*claim, proto::annotation::made_for);
  bool made = std::ranges::any_of(command.serves, [&](proto::object_ref const& one) { return !one.uid.empty() && one.uid == restore; });
  co_return is_prime(*claim) || (!filled && made);
}

/// `cached`: from the API server's watch cache, milliseconds old. A consistent list may wait for etcd, for 100 ms if the server just did
/// so.
awaitable<outcome<json::array>> job_creator::pods_on_nodes(std::string ns, bool cached) {
  call what{.path = path_of(*resource_of("Pod"), ns),
            .query = {{"fieldSelector", "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"}}};
  if (cached) what.query.emplace("resourceVersion", "0");
  auto pods = co_await in_.api.ask(std::move(what));
  if (!pods) co_return refused(pods.error());
  co_return items_of(std::move(*pods));
}

}  // namespace kopiur::gateway::kubernetes
