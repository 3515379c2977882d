#pragma once
#include <string>
#include <vector>

#include "services/controller/core/objects.hpp"

/// The repositories that have their bucket from a Buckety: `backend.s3.bucketyRef` of Kopiur's kinds.
namespace kopiur::provisioner {

struct bucket_user {
  std::string name;    ///< for messages: `Repository photos`
  std::string access;  ///< the BucketyAccess that it uses; empty: unknown
};
/// All of them. A repository that exists and cannot be read may be one.
std::vector<bucket_user> users_of(controller::objects const& all, controller::name_key const& buckety);
/// The names of those that use this access.
std::vector<std::string> users_of_access(controller::objects const& all, proto::buckety_access const& access);

/// The Bucketys and accesses to look at after a repository changed or was deleted: those whose deletion it may have held up, and the one
/// that has to make a default access for it.
std::vector<proto::object_ref> concerned_by_repository(controller::objects const& all, proto::object_ref const& repository);

}  // namespace kopiur::provisioner
