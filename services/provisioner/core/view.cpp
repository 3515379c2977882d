#include "services/provisioner/core/view.hpp"

#include <algorithm>

#include "services/provisioner/core/repositories.hpp"
#include "services/systems/buckety/rules/parameters.hpp"

namespace kopiur::provisioner {

using controller::find;

namespace {

/// The accesses that name this Buckety.
std::vector<proto::buckety_access const*> accesses_of(controller::objects const& all, controller::name_key const& owner) {
  std::vector<proto::buckety_access const*> found;
  auto take = [&](proto::buckety_access const* one) {
    if (one && one->spec.buckety_ref.name == owner.name) found.push_back(one);
  };
  auto const& table = all.of<proto::buckety_access>();
  if (auto* members = all.members_of<proto::buckety_access>(owner))
    for (auto& name : *members) take(find(table, owner.namespace_, name));
  else
    for (auto& [_, one] : controller::in_namespace(table, owner.namespace_)) take(&one);
  return found;
}

}  // namespace

void stamped_names::note(controller::name_key const& place, proto::buckety const* object) {
  if (auto former = stamps_.find(place); former != stamps_.end()) {
    auto owners = owners_.find(former->second);
    owners->second.erase(place);
    if (owners->second.empty()) owners_.erase(owners);
    stamps_.erase(former);
  }
  if (!object || !object->status.backend_resource_name) return;
  stamp now{object->status.backend_store.value_or(""), *object->status.backend_resource_name};
  owners_[now].insert(place);
  stamps_.emplace(place, std::move(now));
}

std::optional<std::string> stamped_names::owner(std::string const& store, std::string const& name,
                                                controller::name_key const& apart_from) const {
  auto found = owners_.find({store, name});
  if (found == owners_.end()) return {};
  for (auto& each : found->second)
    if (each != apart_from) return each.namespace_ + "/" + each.name;
  return {};
}

buckety_view view_of(controller::objects const& all, proto::buckety const& object, settings_view settings, stamped_names const& names) {
  auto const& meta = object.metadata;
  buckety_view view{.object = object, .settings = settings, .complete = all.listed, .names = names};
  for (auto* one : accesses_of(all, {meta.namespace_, meta.name}))
    is_implicit_of(*one, object) ? void(view.implicit_access = one) : view.explicit_accesses.push_back(one);
  auto* same_name = find(all.of<proto::buckety_access>(), meta.namespace_, meta.name);
  view.implicit_name_taken = same_name && same_name != view.implicit_access;
  for (auto& each : users_of(all, {meta.namespace_, meta.name})) {
    view.implicit_used |= each.access == meta.name && !view.implicit_name_taken;
    view.repositories.push_back(std::move(each.name));
  }
  return view;
}

buckety::backend_judgement judge(proto::buckety const& object, settings_view settings) {
  return buckety::judge(settings.config, settings.drivers, object.spec.backend, buckety::stamp_of(object.status));
}

bool may_have(proto::buckety const& object, settings_view settings, std::string const& store, std::string const& name) {
  if (object.status.backend_resource_name) return *object.status.backend_resource_name == name && object.status.backend_store == store;
  auto judged = judge(object, settings);
  if (judged.standing != buckety::backend_standing::Usable) return true;
  auto resolved = buckety::resolved(object.spec.name.value_or(""), sources_of(object, *judged.chosen));
  return resolved == name && judged.driver->store(judged.chosen->config) == store;
}

std::vector<proto::object_ref> concerned_by(controller::objects const& all, proto::object_ref const& changed) {
  std::vector<proto::object_ref> keys;
  if (changed.kind == proto::buckety::info.kind) {
    keys.push_back(changed);
    for (auto* one : accesses_of(all, {changed.namespace_, changed.name})) keys.push_back(controller::ref_of(*one));
  } else if (changed.kind == proto::buckety_access::info.kind) {
    keys.push_back(changed);
    if (auto* one = find(all.of<proto::buckety_access>(), changed.namespace_, changed.name))
      keys.push_back(proto::ref_to<proto::buckety>(changed.namespace_, one->spec.buckety_ref.name));
    else  // deleted: whose it was is not known any more
      for (auto& [_, each] : controller::in_namespace(all.of<proto::buckety>(), changed.namespace_))
        keys.push_back(controller::ref_of(each));
  } else if (changed.kind == proto::secret::info.kind) {
    for (auto& [_, one] : controller::in_namespace(all.of<proto::buckety_access>(), changed.namespace_))
      if (one.spec.credentials_secret_name == changed.name) keys.push_back(controller::ref_of(one));
  } else if (changed.kind == proto::repository::info.kind || changed.kind == proto::cluster_repository::info.kind) {
    return concerned_by_repository(all, changed);
  }
  return keys;
}

}  // namespace kopiur::provisioner
