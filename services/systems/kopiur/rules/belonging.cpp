#include "services/systems/kopiur/rules/belonging.hpp"

#include "services/systems/kopiur/rules/identity.hpp"

namespace kopiur::rules {

using namespace proto;

bool is_of(backup const& object, backup_config const& config) {
  return object.metadata.namespace_ == config.metadata.namespace_ && object.spec.config_ref &&
         object.spec.config_ref->name == config.metadata.name;
}

namespace {

/// The Backups of the namespace that the cache finds by `name`; all that fit, where tables were filled by hand.
std::vector<backup const*> found_by(controller::objects const& all, std::string const& ns, std::string name, auto const& fits) {
  std::vector<backup const*> found;
  auto* names = all.members_of<backup>({ns, std::move(name)});
  if (!names) {
    for (auto& [_, one] : controller::in_namespace(all.of<backup>(), ns))
      if (fits(one)) found.push_back(&one);
    return found;
  }
  for (auto& each : *names) found.push_back(find(all.of<backup>(), ns, each));
  return found;
}

}  // namespace

std::vector<backup const*> backups_of(controller::objects const& all, backup_config const& config) {
  return found_by(all, config.metadata.namespace_, config.metadata.name, [&](backup const& one) { return is_of(one, config); });
}

std::vector<backup const*> backups_of(controller::objects const& all, std::string const& ns, identity const& who) {
  auto fits = [&](backup const& one) { return one.status.snapshot && one.status.snapshot->identity == who; };
  return found_by(all, ns, source_name(who), fits);
}

bool lies_in(backup const& object, std::string const& unique_ID) {
  return object.status.resolved && object.status.resolved->repository && object.status.resolved->repository->unique_ID == unique_ID;
}

bool is_default(maintenance const& one) { return controller::lookup(one.metadata.labels, label::default_maintenance) == "true"; }

std::optional<std::string> may_not_maintain(controller::objects const& all, any_repository const& repository, std::string const& ns) {
  auto home = home_of(repository);
  if (ns == home) return {};
  if (!repository.cluster) return not_allowed(all, repository, ns);
  return "ClusterRepository " + repository.meta->name + " is maintained from namespace " + home +
         " alone, where its password is (spec.encryption.passwordSecretRef): make the Maintenance there. This one has no effect.";
}

std::vector<maintenance const*> maintenances_of(controller::objects const& all, any_repository const& repository) {
  std::vector<maintenance const*> found;
  for (auto& [key, one] : all.of<maintenance>()) {
    bool its = names(one.spec.repository, key.namespace_, repository) && !one.metadata.deletion_timestamp;
    if (its && !may_not_maintain(all, repository, key.namespace_)) found.push_back(&one);
  }
  return found;
}

std::string filling_restore(persistent_volume_claim const& claim) {
  auto& source = claim.spec.data_source_ref ? claim.spec.data_source_ref : claim.spec.data_source;
  return source ? proto::filling_restore(*source, claim.metadata.namespace_) : std::string();
}

bool waits_for_consumer(controller::objects const& all, persistent_volume_claim const& claim) {
  auto* by = find(all.of<storage_class>(), "", claim.spec.storage_class_name.value_or(""));
  return by && by->volume_binding_mode == "WaitForFirstConsumer" && claim.spec.volume_name.value_or("").empty();
}

bool has_consumer(persistent_volume_claim const& claim) {
  return !controller::lookup(claim.metadata.annotations, "volume.kubernetes.io/selected-node").empty();
}

}  // namespace kopiur::rules
