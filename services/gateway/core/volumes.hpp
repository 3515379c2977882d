#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/json/value.hpp"

/// Which volume a claim gets outside a cluster: a pure decision from claims and volumes.
namespace kopiur::gateway {

/// The folder of a volume: its `hostPath`, or nothing.
std::optional<std::string> host_path(json::value const& volume);
/// The volume of the claim: bound by name, or reserved for it by `claimRef`; nullptr when there is none.
json::value const* volume_of(json::value const& claim, std::vector<json::value> const& volumes);
/// The Restore in the claim's own namespace that fills the claim, from its data source; empty: none.
std::string filling_restore(json::value const& claim);
/// True for a claim that a Restore must fill before use, and that is not filled yet.
bool waits_for_data(json::value const& claim);

/// What to do about one claim.
struct bind_claim {
  std::string volume;  ///< name of the PersistentVolume
};
struct make_volume {};  ///< no volume fits: create one
struct wait_for {
  std::string reason;  ///< a sentence
};
struct leave_alone {};
using claim_step = std::variant<bind_claim, make_volume, wait_for, leave_alone>;
claim_step judge_claim(json::value const& claim, std::vector<json::value> const& volumes);

/// A PersistentVolume over `folder`, reserved for the claim.
json::value volume_for(json::value const& claim, std::string const& folder);
/// The name of the volume that is created for the claim: `pvc-<uid>`.
std::string made_volume_name(json::value const& claim);
/// `G/bound-to` on a volume: `<namespace>/<name>/<uid>` of the claim that has it.
inline constexpr std::string_view bound_to = "kopiur.home-operations.com/bound-to";
std::string holder_text(json::value const& claim);
/// Status of a claim that is bound to `volume`, or that waits.
json::value bound_status(json::value const& claim, json::value const& volume);
json::value pending_status(std::string const& reason);

}  // namespace kopiur::gateway
