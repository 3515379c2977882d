#include "services/systems/hypershift/request.hpp"

#include "common/hash/stable_hash.hpp"
#include "services/controller/core/condition.hpp"
#include "services/systems/hypershift/reasons.hpp"

namespace kopiur::hypershift {

using namespace proto;

namespace {

backup_request request_of(etcd_backup const& one) {
  backup_request out{.object = controller::ref_of(one), .meta = &one.metadata, .conditions = &one.status.conditions};
  if (auto& s3 = one.spec.s3)
    out.s3 = s3_target{s3->bucket, s3->region}, out.key_prefix = s3->key_prefix, out.credentials = s3->credentials_secret_ref.name;
  if (auto& azure = one.spec.azure_blob; azure && !out.s3)
    out.azure = azure_target{azure->container, azure->storage_account}, out.key_prefix = azure->key_prefix,
    out.credentials = azure->credentials_secret_ref.name;
  return out;
}

backup_request request_of(hcp_etcd_backup const& one) {
  backup_request out{.object = controller::ref_of(one), .meta = &one.metadata, .conditions = &one.status.conditions};
  auto& storage = one.spec.storage;
  if (auto& s3 = storage.s3)
    out.s3 = s3_target{s3->bucket, s3->region, s3->kms_key_ARN.value_or("")}, out.key_prefix = s3->key_prefix,
    out.credentials = s3->credentials.name;
  if (auto& azure = storage.azure_blob; azure && !out.s3)
    out.azure = azure_target{azure->container, azure->storage_account, azure->encryption_key_URL.value_or("")},
    out.key_prefix = azure->key_prefix, out.credentials = azure->credentials.name;
  return out;
}

}  // namespace

std::optional<backup_request> find_request(controller::objects const& all, object_ref const& object) {
  if (is_of_another(all, object.kind)) return std::nullopt;
  auto in = [&]<class T>(std::type_identity<T>) -> std::optional<backup_request> {
    auto* found = controller::find(all.of<T>(), object.namespace_, object.name);
    return found ? std::optional(request_of(*found)) : std::nullopt;
  };
  return visit_kind(hypershift_kinds{}, object.kind, in, std::optional<backup_request>());
}

bool is_of_another(controller::objects const& all, std::string_view kind) {
  return kind == hcp_etcd_backup::info.kind && all.presence_of<hcp_etcd_backup>() != kind_presence::Listed;
}

std::vector<object_ref> all_requests(controller::objects const& all) {
  std::vector<object_ref> refs;
  auto add = [&](auto& table) {
    for (auto& [_, one] : table) refs.push_back(controller::ref_of(one));
  };
  add(all.of<etcd_backup>()), add(all.of<hcp_etcd_backup>());
  return refs;
}

condition const* success_in(std::vector<condition> const& conditions) {
  auto* completed = controller::find_condition(conditions, condition_type::backup_completed);
  return completed && completed->status == condition_status::True ? completed : nullptr;
}

bool is_over(backup_request const& one) {
  auto* completed = controller::find_condition(*one.conditions, condition_type::backup_completed);
  return success_in(*one.conditions) || (completed && is_final(completed->reason));
}

std::string run_of(object_meta const& meta) { return "etcd-backup-" + hash::digest_hex({"etcd-backup", meta.uid}, 16); }

std::string lease_of(std::string const& cluster, std::string const& ns) { return "etcd/" + cluster + "/" + ns; }

}  // namespace kopiur::hypershift
