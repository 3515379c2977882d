#pragma once
#include "services/gateway/kubernetes/volumes/storage_behind.hpp"

/// Snapshots of several claims at one instant (groupBy VolumeGroupSnapshot). The first Job of a group creates the capture; all others find
/// it by name. The claims are labelled before, since a VolumeGroupSnapshot selects only by labels, and until it is deleted. So the label
/// shows that one may exist, also after a crash.
namespace kopiur::gateway::kubernetes {

/// The label of the capture's claims.
std::string capture_label(std::string_view name);
json::value capture_manifest(std::string const& ns, proto::capture const& capture);
/// The VolumeSnapshots that are members of the group, by the name of their claim.
std::map<std::string, json::value> members_of(json::array snapshots, json::value const& group);
/// The claims of the group that have no member.
std::vector<std::string> missing_in(json::value const& group, std::map<std::string, json::value> const& members);

class captures {
 public:
  captures(client& api, clock& time) : api_(api), objects_(api), time_(time) {}

  /// The claim's VolumeSnapshot in the capture. A missing capture is created, unless it was `taken` before. Unavailable, with a sentence,
  /// while it has not reached `until`; Invalid when the cluster lacks the kind, the capture was created without that claim, or a `taken`
  /// one is gone.
  awaitable<outcome<json::value>> snapshot_in(std::string ns, proto::capture capture, std::string claim, snapshot_state until, bool taken);
  awaitable<outcome<void>> remove(proto::delete_capture command);

 private:
  awaitable<outcome<json::value>> make(std::string ns, proto::capture capture);
  awaitable<outcome<std::map<std::string, json::value>>> members(json::value group);
  awaitable<outcome<void>> take_away(json::value group);
  awaitable<outcome<void>> label_claim(object_key claim, std::string name, json::value text);

  client& api_;
  objects objects_;
  clock& time_;
};

}  // namespace kopiur::gateway::kubernetes
