#include "services/systems/kopiur/rules/buckets.hpp"

#include "services/controller/core/condition.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

constexpr std::string_view usable_driver = "s3";

template <class T>
using found = std::expected<T, std::string>;  // or why not, as the end of a sentence

/// What the reference names, which need not exist.
struct buckety_place {
  std::string namespace_, name;
  std::string access;  ///< the access of a defaultAccess has the name of its Buckety
};
buckety_place place_of(any_repository const& repository, buckety_ref const& ref) {
  return {ref.namespace_.value_or(repository.meta->namespace_), ref.name, ref.access.value_or(ref.name)};
}

condition const* ready_condition(std::vector<condition> const& all) { return controller::find_condition(all, condition_type::ready); }
std::string state_text(std::vector<condition> const& all) {
  auto* ready = ready_condition(all);
  return ready ? ready->reason + ": " + ready->message : "its status says nothing yet.";
}

found<buckety const*> usable_buckety(controller::objects const& all, any_repository const& repository, buckety_place const& place,
                                     bucket_use use) {
  auto* one = controller::find(all.of<buckety>(), place.namespace_, place.name);
  if (!one)
    return std::unexpected("it does not exist, or this cluster does not have the kinds of Buckety. Create it, or correct the name.");
  auto& status = one->status;
  if (one->metadata.deletion_timestamp && use == bucket_use::Fill)
    return std::unexpected("it is being deleted. Delete the repository too, or name another Buckety.");
  if (!status.backend_resource_name) return std::unexpected("it has no bucket yet. " + state_text(status.conditions));
  if (status.driver != usable_driver)
    return std::unexpected("its driver is " + status.driver.value_or("unknown") + ", and a repository needs a bucket of the driver s3.");
  if (!status.connection.contains("endpoint")) return std::unexpected("its status does not have the endpoint yet.");
  auto* ready = ready_condition(status.conditions);
  bool is_ready = ready && ready->status == condition_status::True;
  if (!repository.status->unique_ID && !is_ready) return std::unexpected("it is not Ready. " + state_text(status.conditions));
  return one;
}

found<buckety_access const*> access_to(controller::objects const& all, buckety const& owner, buckety_ref const& ref,
                                       buckety_place const& place) {
  auto* one = controller::find(all.of<buckety_access>(), place.namespace_, place.access);
  if (ref.access && !one) return std::unexpected("its BucketyAccess " + place.access + " does not exist.");
  if (ref.access && one->spec.buckety_ref.name != place.name)
    return std::unexpected("BucketyAccess " + place.access + " belongs to Buckety " + one->spec.buckety_ref.name + ".");
  if (ref.access || (one && is_implicit_of(*one, owner))) return one;
  if (!owner.spec.default_access)
    return std::unexpected("it has no defaultAccess. Give it one, or name a BucketyAccess in bucketyRef.access.");
  return std::unexpected("its default access has not been made yet. " + state_text(owner.status.conditions));
}

/// The name of the access's Secret. An access that was ready once has a valid Secret, whatever happens to its backend; but a Secret of
/// somebody else is not used.
found<std::string> credentials_of(controller::objects const& all, buckety_access const& access, bucket_use use) {
  auto named = "its BucketyAccess " + access.metadata.name;
  if (access.metadata.deletion_timestamp && use == bucket_use::Fill) return std::unexpected(named + " is being deleted.");
  if (access.spec.role != access_role::ReadWrite)
    return std::unexpected(named + " has the role " + std::string(json::to_text(access.spec.role)) + ", and a repository needs ReadWrite.");
  auto* ready = ready_condition(access.status.conditions);
  bool is_ready = ready && ready->status == condition_status::True;
  if (!is_ready && (!access.status.principal || (ready && ready->reason == "SecretConflict")))
    return std::unexpected(named + " has no Secret yet. " + state_text(access.status.conditions));
  auto& name = access.spec.credentials_secret_name;
  if (!all.of<controller::secret_metadata>().contains({access.metadata.namespace_, name}))
    return std::unexpected("its Secret " + name + " does not exist; it is made again.");
  return name;
}

found<given_bucket> given(controller::objects const& all, any_repository const& repository, buckety_ref const& ref, bucket_use use) {
  auto place = place_of(repository, ref);
  auto source = usable_buckety(all, repository, place, use);
  if (!source) return std::unexpected(source.error());
  auto access = access_to(all, **source, ref, place);
  if (!access) return std::unexpected(access.error());
  auto secret_name = credentials_of(all, **access, use);
  if (!secret_name) return std::unexpected(secret_name.error());
  given_bucket bucket{
      .where = std::get<s3_backend>(repository.spec->backend), .secret_namespace = place.namespace_, .secret_name = *secret_name};
  auto& connection = (*source)->status.connection;
  bucket.where.buckety_ref.reset();
  bucket.where.bucket = (*source)->status.backend_resource_name;
  bucket.where.endpoint = connection.at("endpoint");
  if (auto region = connection.find("region"); region != connection.end()) bucket.where.region = region->second;
  return bucket;
}

}  // namespace

std::expected<given_bucket, wait_reason> bucket_of(controller::objects const& all, any_repository const& repository, bucket_use use) {
  auto& ref = *bucket_source(repository.spec->backend);
  auto bucket = given(all, repository, ref, use);
  if (bucket) return std::move(*bucket);
  auto place = place_of(repository, ref);
  return std::unexpected(
      wait_reason{"BucketyNotReady", "Waiting for Buckety " + place.namespace_ + "/" + place.name +
                                         ", which the repository names in spec.backend.s3.bucketyRef: " + bucket.error()});
}

std::optional<wait_reason> no_bucket(controller::objects const& all, any_repository const& repository, bucket_use use) {
  if (!bucket_source(repository.spec->backend)) return {};
  auto bucket = bucket_of(all, repository, use);
  return bucket ? std::nullopt : std::optional(bucket.error());
}

bool has_bucket_from(controller::objects const& all, any_repository const& repository, object_ref const& changed) {
  auto* ref = bucket_source(repository.spec->backend);
  if (!ref) return false;
  auto place = place_of(repository, *ref);
  if (place.namespace_ != changed.namespace_) return false;
  if (changed.kind == buckety::info.kind) return place.name == changed.name;
  if (changed.kind == buckety_access::info.kind) return place.access == changed.name;
  auto* access = controller::find(all.of<buckety_access>(), place.namespace_, place.access);
  return changed.kind == secret::info.kind && access && access->spec.credentials_secret_name == changed.name;
}

}  // namespace kopiur::rules
