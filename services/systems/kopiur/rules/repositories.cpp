#include "services/systems/kopiur/rules/repositories.hpp"

namespace kopiur::rules {

using namespace proto;

object_ref any_repository::ref() const {
  return {.kind = std::string(json::to_text(kind)), .namespace_ = meta->namespace_, .name = meta->name, .uid = meta->uid};
}

std::optional<any_repository> find_repository(controller::objects const& all, repository_ref const& ref,
                                              std::string_view consumer_namespace) {
  if (ref.kind == repository_kind::ClusterRepository) {
    auto* one = find(all.of<cluster_repository>(), "", ref.name);
    if (!one) return {};
    return any_repository{ref.kind, &one->metadata, &one->spec.common, &one->status, &one->spec};
  }
  auto* one = find(all.of<proto::repository>(), ref.namespace_.value_or(std::string(consumer_namespace)), ref.name);
  if (!one) return {};
  return any_repository{ref.kind, &one->metadata, &one->spec, &one->status, nullptr};
}

namespace {
repository_kind kind_of(object_ref const& repository) {
  return repository.kind == repository::info.kind ? repository_kind::Repository : repository_kind::ClusterRepository;
}
}  // namespace

std::optional<any_repository> find_repository(controller::objects const& all, object_ref const& repository) {
  return find_repository(all, {.kind = kind_of(repository), .name = repository.name, .namespace_ = {}}, repository.namespace_);
}

bool names(repository_ref const& ref, std::string_view consumer_namespace, object_ref const& repository) {
  return names(ref, consumer_namespace, kind_of(repository), repository.namespace_, repository.name);
}

bool names(repository_ref const& ref, std::string_view consumer_namespace, repository_kind kind, std::string_view ns,
           std::string_view name) {
  if (ref.kind != kind || ref.name != name) return false;
  return kind == repository_kind::ClusterRepository || (ref.namespace_ ? std::string_view(*ref.namespace_) : consumer_namespace) == ns;
}

bool names(repository_ref const& ref, std::string_view consumer_namespace, any_repository const& repository) {
  return names(ref, consumer_namespace, repository.kind, repository.meta->namespace_, repository.meta->name);
}

}  // namespace kopiur::rules
