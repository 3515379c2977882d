#include "services/gateway/kubernetes/jobs/job_grants.hpp"

#include <algorithm>

#include "services/gateway/core/seal.hpp"
#include "services/gateway/kubernetes/jobs/pod_manifest.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

namespace {

bool is_granted_to(json::value const& object, std::string const& run, std::string_view seal_secret) {
  return label(object, ours("run")) == run && is_sealed(annotation(object, ours("seal")), seal_secret, key_of(object), run);
}

/// The manifest with the marks by which it is found again.
outcome<json::value> marked(json::value manifest, std::string const& run, std::string_view seal_secret) {
  auto kind = manifest.text("kind");
  if (std::ranges::find(grantable_kinds, kind) == grantable_kinds.end())
    return refuse(answer_code::Invalid, "A Job cannot be granted an object of the kind " + std::string(kind) + ".");
  auto key = admit_key(manifest);
  if (!key) return std::unexpected(key.error());
  auto* metadata = manifest.find("metadata");
  metadata->set("labels", labels_of_job(run));
  metadata->set("annotations", json::object{{ours("seal"), seal_of(seal_secret, *key, run)}});
  return manifest;
}

/// It belongs to its owner, and disappears with it: not with the Job, because others run as the same account.
json::value manifest_of(proto::pod_account const& one, std::string const& api_version) {
  json::value owner = json::object{{"apiVersion", api_version}, {"kind", one.owner.kind}, {"name", one.owner.name}, {"uid", one.owner.uid}};
  auto annotations = json::value::make_object();
  for (auto& [name, content] : one.annotations) annotations.set(name, content);
  json::value metadata = json::object{{"name", one.name},
                                      {"namespace", one.owner.namespace_},
                                      {"labels", json::object{{"app.kubernetes.io/managed-by", "kopiur"}}},
                                      {"annotations", std::move(annotations)},
                                      {"ownerReferences", json::array{std::move(owner)}}};
  return json::object{
      {"apiVersion", "v1"}, {"kind", "ServiceAccount"}, {"metadata", std::move(metadata)}, {"automountServiceAccountToken", false}};
}

}  // namespace

awaitable<outcome<void>> make_account(objects& all, proto::create_job const& command) {
  auto* plan = std::get_if<proto::pod_plan>(&command.body);
  if (!plan || !plan->account) co_return outcome<void>();
  auto& account = *plan->account;
  auto* owner = resource_of(account.owner.kind);
  if (!owner) co_return refuse(answer_code::Invalid, "A service account cannot belong to a " + account.owner.kind + ".");
  auto there = co_await all.read({"ServiceAccount", account.owner.namespace_, account.name, {}});
  if (there) co_return outcome<void>();
  if (there.error().code != answer_code::NotFound) co_return std::unexpected(there.error());
  auto made = co_await all.create(manifest_of(account, std::string(owner->group_version)));
  if (!made && made.error().code != answer_code::AlreadyExists) co_return std::unexpected(made.error());
  co_return outcome<void>();
}

awaitable<outcome<void>> grant(objects& all, proto::create_job const& command, std::string_view seal_secret) {
  for (auto const& each : grants_of(command.body)) {
    auto manifest = marked(each, command.run, seal_secret);
    if (!manifest) co_return std::unexpected(manifest.error());
    auto made = co_await all.create(std::move(*manifest));
    if (!made) co_return std::unexpected(made.error());
    if (!is_granted_to(*made, command.run, seal_secret))
      co_return refuse(answer_code::AlreadyExists, key_of(*made).text() + " exists, and kopiur did not create it: delete it.");
  }
  co_return outcome<void>();
}

awaitable<outcome<void>> revoke(objects& all, std::string run, std::vector<proto::object_ref> granted, std::string_view seal_secret) {
  for (auto const& each : granted) {
    auto there = co_await all.read(each);
    if (!there && there.error().code == answer_code::NotFound) continue;
    if (!there) co_return std::unexpected(there.error());
    if (!is_granted_to(*there, run, seal_secret)) continue;
    auto gone = co_await all.remove({.object = ref_of(*there), .annotations = {}});
    if (!gone && gone.error().code != answer_code::NotFound) co_return std::unexpected(gone.error());
  }
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::kubernetes
