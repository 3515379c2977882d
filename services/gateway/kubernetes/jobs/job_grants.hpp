#pragma once
#include <array>

#include "services/controller/core/jobs.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"

/// What the pods of a Job may do and reach while it exists (proto::pod_plan::grants). The Job names its grants, so whatever fails, they are
/// found by it. Each is sealed: an object of that name that kopiur did not make is neither used nor deleted.
namespace kopiur::gateway::kubernetes {

using controller::grants_of, controller::refs_of;

/// The kinds that a plan may grant.
inline constexpr std::array<std::string_view, 3> grantable_kinds{"Role", "RoleBinding", "NetworkPolicy"};

/// Creates the service account that the command's pods run as (proto::pod_plan::account), before the Job: its controller would fail to make
/// a pod, and would wait. One that exists is left as it is.
awaitable<outcome<void>> make_account(objects& all, proto::create_job const& command);
/// Creates all that the command grants; an existing grant of the same run is success. Refused: Invalid for a kind that cannot be granted,
/// AlreadyExists for an object that kopiur did not make.
awaitable<outcome<void>> grant(objects& all, proto::create_job const& command, std::string_view seal_secret);
/// Deletes what was granted to this run; what does not exist, or is another's, is left as it is.
awaitable<outcome<void>> revoke(objects& all, std::string run, std::vector<proto::object_ref> granted, std::string_view seal_secret);

}  // namespace kopiur::gateway::kubernetes
