#pragma once
#include <optional>
#include <string>
#include <vector>

#include "proto/hypershift/hosted.hpp"
#include "proto/hypershift/kinds.hpp"
#include "services/controller/core/cluster_view.hpp"

/// What both kinds of etcd backups ask for, in one form.
namespace kopiur::hypershift {

/// Where the snapshot goes.
struct s3_target {
  std::string bucket, region, kms_key{};
};
struct azure_target {
  std::string container, account, encryption_key{};
};

struct backup_request {
  proto::object_ref object;
  proto::object_meta const* meta = nullptr;
  std::optional<s3_target> s3;  ///< exactly one of both
  std::optional<azure_target> azure;
  std::string key_prefix;
  std::string credentials;  ///< the name of a Secret in the operator's namespace
  std::vector<proto::condition> const* conditions = nullptr;
};

/// HyperShift's operator may serve HCPEtcdBackup itself: then kopiur works on none of them, nor while that is not known.
bool is_of_another(controller::objects const& all, std::string_view kind);
/// The request of this object; nothing: no such object, or one of a kind that is not ours.
std::optional<backup_request> find_request(controller::objects const& all, proto::object_ref const& object);
/// All objects of both kinds, also those that HyperShift serves.
std::vector<proto::object_ref> all_requests(controller::objects const& all);

/// The condition of a backup that has succeeded; nullptr: it has not.
proto::condition const* success_in(std::vector<proto::condition> const& conditions);
/// Whether its status says how it ended: such a request is never worked on again.
bool is_over(backup_request const& one);

/// The run that carries it out. A Job's name has it, and 63 characters are the limit.
std::string run_of(proto::object_meta const& meta);
/// The lease by which a control plane has one backup at a time, of whichever kind (decisions D22).
std::string lease_of(std::string const& cluster, std::string const& ns);

}  // namespace kopiur::hypershift
