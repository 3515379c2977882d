#include "services/provisioner/core/repositories.hpp"

namespace kopiur::provisioner {

using namespace proto;
using controller::name_key;

namespace {

std::string_view namespace_of(buckety_ref const& ref, std::string_view home) {
  return ref.namespace_ ? std::string_view(*ref.namespace_) : home;
}

void add_user(std::vector<bucket_user>& users, name_key const& buckety, std::string_view kind, object_meta const& meta,
              backend const& where) {
  auto* ref = bucket_source(where);
  if (!ref || ref->name != buckety.name || namespace_of(*ref, meta.namespace_) != buckety.namespace_) return;
  users.push_back({std::string(kind) + " " + meta.name, ref->access.value_or(ref->name)});
}

void add_unreadable(std::vector<bucket_user>& users, controller::objects const& all, name_key const& buckety) {
  for (auto& each : all.unreadable) {
    bool beside = each.kind == repository::info.kind && each.namespace_ == buckety.namespace_;
    if (beside || each.kind == cluster_repository::info.kind)
      users.push_back({each.kind + " " + each.name + " (which kopiur cannot read)", ""});
  }
}

/// The Buckety that gives the repository's bucket; nullptr: none.
buckety const* source_of(controller::objects const& all, object_ref const& changed) {
  auto* one = find(all.of<repository>(), changed.namespace_, changed.name);
  auto* shared = find(all.of<cluster_repository>(), "", changed.name);
  backend const* where = nullptr;
  if (changed.kind == repository::info.kind && one) where = &one->spec.backend;
  if (changed.kind == cluster_repository::info.kind && shared) where = &shared->spec.common.backend;
  auto* ref = where ? bucket_source(*where) : nullptr;
  return ref ? find(all.of<buckety>(), std::string(namespace_of(*ref, changed.namespace_)), ref->name) : nullptr;
}

template <class T>
void add_terminating(std::vector<object_ref>& keys, controller::objects const& all, std::string const& ns) {
  auto add = [&](auto const& some) {
    for (auto& [_, one] : some)
      if (one.metadata.deletion_timestamp) keys.push_back(controller::ref_of(one));
  };
  ns.empty() ? add(all.of<T>()) : add(controller::in_namespace(all.of<T>(), ns));
}

}  // namespace

std::vector<bucket_user> users_of(controller::objects const& all, name_key const& buckety) {
  std::vector<bucket_user> users;
  for (auto& [_, one] : controller::in_namespace(all.of<repository>(), buckety.namespace_))
    add_user(users, buckety, repository::info.kind, one.metadata, one.spec.backend);
  for (auto& [_, one] : all.of<cluster_repository>())
    add_user(users, buckety, cluster_repository::info.kind, one.metadata, one.spec.common.backend);
  add_unreadable(users, all, buckety);
  return users;
}

std::vector<std::string> users_of_access(controller::objects const& all, buckety_access const& access) {
  std::vector<std::string> names;
  for (auto& each : users_of(all, {access.metadata.namespace_, access.spec.buckety_ref.name}))
    if (each.access == access.metadata.name) names.push_back(each.name);
  return names;
}

std::vector<object_ref> concerned_by_repository(controller::objects const& all, object_ref const& repository) {
  std::vector<object_ref> keys;
  add_terminating<buckety>(keys, all, repository.namespace_);
  add_terminating<buckety_access>(keys, all, repository.namespace_);
  auto* source = source_of(all, repository);
  if (!source || source->metadata.deletion_timestamp || !source->spec.default_access) return keys;
  if (!find(all.of<buckety_access>(), source->metadata.namespace_, source->metadata.name)) keys.push_back(controller::ref_of(*source));
  return keys;
}

}  // namespace kopiur::provisioner
