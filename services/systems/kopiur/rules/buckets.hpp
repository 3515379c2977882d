#pragma once
#include <expected>

#include "proto/events/run.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// The bucket that a Buckety gives a repository (`backend.s3.bucketyRef`).
namespace kopiur::rules {

/// A bucket, and the Secret with its credentials.
struct given_bucket {
  proto::s3_backend where;  ///< with the bucket, the endpoint and the region
  std::string secret_namespace, secret_name;
};
/// Keys of that Secret.
inline constexpr std::string_view bucket_access_key = "accessKeyID", bucket_secret_key = "secretAccessKey";

/// What a run does with the bucket. Nothing new is written into a bucket whose Buckety is being deleted; what is there can still be
/// restored and deleted.
enum class bucket_use { Fill, Keep };

/// The bucket of a repository with bucketyRef; or why it has none yet. A Buckety that is not Ready holds up a new repository only: for a
/// known one its stamped name, its endpoint and its Secret suffice.
std::expected<given_bucket, proto::wait_reason> bucket_of(controller::objects const& all, any_repository const& repository, bucket_use use);
/// Why the bucket cannot be used; nothing: it can, or no Buckety gives it.
std::optional<proto::wait_reason> no_bucket(controller::objects const& all, any_repository const& repository, bucket_use use);
/// Whether the result of bucket_of() depends on this Buckety, BucketyAccess or Secret, which need not exist.
bool has_bucket_from(controller::objects const& all, any_repository const& repository, proto::object_ref const& changed);

}  // namespace kopiur::rules
