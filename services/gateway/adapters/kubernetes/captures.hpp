#pragma once
#include "services/gateway/adapters/kubernetes/storage_behind.hpp"

/// Several claims at one instant (groupBy VolumeGroupSnapshot). The first Job of a group has the capture made, all others find it by its
/// name. The claims are labelled before, for a VolumeGroupSnapshot selects by labels alone, until it is gone again: so the label says that
/// there may be one, whoever was stopped in between.
namespace kopiur::gateway::kubernetes {

/// The label of the capture's claims.
std::string capture_label(std::string_view name);
json::value capture_manifest(std::string const& ns, proto::capture const& of);
/// Of the VolumeSnapshots those that are members of the group, by the name of their claim.
std::map<std::string, json::value> members_of(json::array snapshots, json::value const& group);
/// The claims of which it has no member, though it was made for them.
std::vector<std::string> missing_in(json::value const& group, std::map<std::string, json::value> const& members);

class captures {
 public:
  captures(client& api, clock& time) : api_(api), objects_(api), time_(time) {}

  /// The claim's VolumeSnapshot in the capture, which is made where it is not there, unless it was `taken` before. Unavailable, with a
  /// sentence, while it is not so far; Invalid where the cluster has no such kind, or the capture was made without that claim.
  awaitable<outcome<json::value>> snapshot_in(std::string ns, proto::capture of, std::string claim, snapshot_state until, bool taken);
  awaitable<outcome<void>> remove(proto::delete_capture command);

 private:
  awaitable<outcome<json::value>> make(std::string ns, proto::capture of);
  awaitable<outcome<std::map<std::string, json::value>>> members(json::value group);
  awaitable<outcome<void>> take_away(json::value group);
  awaitable<outcome<void>> label_claim(object_key claim, std::string name, json::value text);

  client& api_;
  objects objects_;
  clock& time_;
};

}  // namespace kopiur::gateway::kubernetes
