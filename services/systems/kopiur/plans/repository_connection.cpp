#include <algorithm>

#include "common/encoding/quantity.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"

namespace kopiur::plans {

using namespace proto;

namespace {

std::string or_else(std::optional<std::string> const& text, std::string_view otherwise) { return text.value_or(std::string(otherwise)); }

void add_volume(repository_connection& way, std::string_view ns) {
  auto* folder = std::get_if<filesystem_backend>(&way.access.backend);
  if (!folder) return;
  volume_use volume{.name = std::string(repository_volume),
                    .claim_namespace = {},
                    .claim_name = {},
                    .host_path = {},
                    .read_only = false,
                    .nfs = folder->nfs};
  if (folder->pvc_name)
    volume.claim_namespace = ns, volume.claim_name = *folder->pvc_name;
  else if (!folder->nfs)
    volume.host_path = folder->path;
  if (volume.host_path.empty()) way.access.mount = "{{repository}}";
  way.volumes.push_back(std::move(volume));
}

/// Parts of a cache's capacity. The rest is for indexes, which kopia bounds only by age. A cache that outgrows its volume makes its mover
/// fail.
constexpr double for_contents = 0.5, for_metadata = 0.3;

std::int64_t megabytes(std::string const& capacity, double part) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(encoding::bytes_of(capacity) * part / 0x1p20));
}

/// Resolves each cache option on its own: the config's, else the repository's.
void add_pod(repository_connection& way, std::optional<cache_options> const& defaults, std::optional<mover_options> recipe) {
  if (!defaults && !recipe) return;
  auto wish = std::move(recipe).value_or(mover_options{});
  auto cache = wish.cache.value_or(cache_options{});
  if (defaults) {
    if (!cache.capacity) cache.capacity = defaults->capacity;
    if (!cache.storage_class_name) cache.storage_class_name = defaults->storage_class_name;
    if (!cache.content_cache_size_MB) cache.content_cache_size_MB = defaults->content_cache_size_MB;
    if (!cache.metadata_cache_size_MB) cache.metadata_cache_size_MB = defaults->metadata_cache_size_MB;
  }
  way.access.content_cache_MB = cache.content_cache_size_MB;
  way.access.metadata_cache_MB = cache.metadata_cache_size_MB;
  if (cache.capacity && !way.access.content_cache_MB) way.access.content_cache_MB = megabytes(*cache.capacity, for_contents);
  if (cache.capacity && !way.access.metadata_cache_MB) way.access.metadata_cache_MB = megabytes(*cache.capacity, for_metadata);
  way.pod = pod_options{.cache = pod_cache{.capacity = cache.capacity, .storage_class_name = cache.storage_class_name},
                        .resources = std::move(wish.resources),
                        .security_context = std::move(wish.security_context),
                        .pod_security_context = std::move(wish.pod_security_context),
                        .privileged_mode = wish.privileged_mode,
                        .inherit_security_context_from = std::move(wish.inherit_security_context_from)};
}

}  // namespace

std::expected<repository_connection, wait> connection_to(controller::objects const& all, rules::any_repository const& repository,
                                                         std::string_view ns, std::optional<mover_options> recipe, rules::bucket_use use) {
  auto& spec = *repository.spec;
  auto home = rules::home_of(repository);
  std::optional<rules::given_bucket> bucket;
  if (bucket_source(spec.backend)) {
    auto given = rules::bucket_of(all, repository, use);
    if (!given) return std::unexpected(wait{.why = given.error()});
    bucket = std::move(*given);
  }
  repository_connection way;
  way.access = {.backend = bucket ? backend(bucket->where) : spec.backend,
                .unique_ID = repository.status->unique_ID,
                .username = "kopiur",
                .hostname = "mover",
                .cache_directory = "{{cache}}",
                .secrets = "{{secrets}}"};
  add_pod(way, spec.cache_defaults, std::move(recipe));
  way.secrets = secrets_of(repository, bucket ? &*bucket : nullptr);
  if (auto missing = waits_for_secret(all, way.secrets)) return std::unexpected(std::move(*missing));
  add_volume(way, repository.cluster ? std::string(ns) : home);
  return way;
}

std::optional<std::string> needs_pods(backend const& where) {
  bool as_account = std::visit(
      [](auto const& one) {
        if constexpr (requires { one.auth; }) return one.auth && one.auth->workload_identity;
        return false;
      },
      where);
  auto* folder = std::get_if<filesystem_backend>(&where);
  if (folder && folder->nfs) return "backend.filesystem.nfs is mounted into pods: on a host, mount the export yourself and give its path.";
  if (as_account) return "auth.workloadIdentity is the identity of a pod: on a host, give auth.secretRef.";
  return {};
}

void add_connection(run_plan& plan, repository_connection way) {
  plan.secrets = std::move(way.secrets), plan.volumes = std::move(way.volumes), plan.pod = std::move(way.pod);
}

std::string location_key(backend const& where, std::string const& home) {
  struct key_text {
    std::string operator()(s3_backend const& b) const {
      return "s3|" + or_else(b.endpoint, "") + "|" + or_else(b.bucket, "") + "|" + or_else(b.prefix, "");
    }
    std::string operator()(azure_backend const& b) const {
      return "azure|" + b.storage_account + "|" + b.container + "|" + or_else(b.prefix, "");
    }
    std::string operator()(gcs_backend const& b) const { return "gcs|" + b.bucket + "|" + or_else(b.prefix, ""); }
    std::string operator()(b2_backend const& b) const { return "b2|" + b.bucket + "|" + or_else(b.prefix, ""); }
    std::string operator()(filesystem_backend const& b) const {
      return "filesystem|" + (b.nfs ? b.nfs->server + ":" + b.nfs->path : or_else(b.pvc_name, "")) + "|" + b.path;
    }
    std::string operator()(sftp_backend const& b) const { return "sftp|" + b.host + ":" + std::to_string(b.port) + "|" + b.path; }
    std::string operator()(web_dav_backend const& b) const { return "webdav|" + b.url; }
    std::string operator()(rclone_backend const& b) const { return "rclone|" + b.remote_path; }
  };
  auto text = std::visit(key_text{}, where);
  // A claim's name identifies a location only together with its namespace.
  auto* folder = std::get_if<filesystem_backend>(&where);
  return "location/" + hash::digest_hex({text, folder && folder->pvc_name ? home : std::string()}, 16);
}

lease_need repository_slot(cluster_view const& all, std::string const& unique_ID) {
  return {"repo/" + unique_ID, lease_mode::Shared, all.can.movers_per_repository};
}
lease_need shared_by_any(std::string key) { return {std::move(key), lease_mode::Shared, 0}; }

std::string snapshot_key(std::string const& unique_ID, std::string const& id) { return "snapshot/" + unique_ID + "/" + id; }

std::string claim_key(cluster_view const& all, std::string const& ns, std::string const& name) {
  return "claim/" + all.cluster + "/" + ns + "/" + name;
}

object_status claim_for(object_ref object, std::int64_t generation, json::value status, std::vector<condition_fragment> conditions) {
  return {object,
          status_fragment{
              .uid = object.uid, .observed_generation = generation, .status = std::move(status), .conditions = std::move(conditions)}};
}

}  // namespace kopiur::plans
