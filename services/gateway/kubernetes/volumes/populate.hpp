#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "proto/core/object_ref.hpp"

/// How a claim with a Restore as its data source gets a filled volume: the next step, as a function of the cluster's state. The mover fills
/// a prime claim instead; its volume is handed over, and the volume controller binds it. A crash may interrupt every step: the next look
/// continues from the cluster's state. Source of the contract: lib-volume-populator.
namespace kopiur::gateway::kubernetes {

/// It has no volume, and is not being deleted.
bool is_unserved(json::value const& claim);

/// `prime-<uid of the claim>`, in the claim's namespace.
std::string prime_name(json::value const& claim);
/// A claim like `claim`, without its data source. `claim` owns it. `filled_before`: the current `restored-at` of the claim; a later filling
/// has another value, however the claim got the mark.
json::value prime_manifest(json::value const& claim, std::string_view filled_before);
/// A prime claim, of any claim: only the populator uses it.
bool is_prime(json::value const& object);
/// Whether it is the prime claim of this claim.
bool is_prime_of(json::value const& object, json::value const& claim);
/// The mover has filled the prime claim: a sealed mark of the claim says so, and did not when the prime claim was created.
bool is_filled(json::value const& claim, json::value const& prime);

/// The finalizer that keeps a claim until nothing of its filling is left: set before the prime claim is created.
std::string hold();
/// An annotation of a volume that is handed over: `<namespace>/<name>/<uid>` of the claim, until that is bound.
std::string handed_to();

/// The cluster's state of one claim, whose marks are judged (seals.hpp). Null: it does not exist.
struct populate_sight {
  json::value const& claim;
  json::value const* prime = nullptr;    ///< of the claim
  json::value const* volume = nullptr;   ///< handed over to the claim, else that of the prime claim
  json::value const* restore = nullptr;  ///< named by the claim
};

struct nothing_due {};
struct hold_claim {};  ///< add the finalizer hold()
struct make_prime {};  ///< for a volume that stays empty; one that a mover fills is created with its Job
struct hand_over {};   ///< hand_over_patch() for the volume
struct delete_prime {
  bool verify = false;  ///< only while the volume belongs to the claim, by a live read
};
struct free_prime {};      ///< it is being deleted: delete ended pods that use it, for they block that
struct release_volume {};  ///< release_patch() for the volume
struct release_claim {
  std::string type, reason, message;  ///< of the Event to be recorded; empty: none
};
struct complain {
  std::string reason, message;  ///< a Warning on the claim: only a user can help
};
using populate_step =
    std::variant<nothing_due, hold_claim, make_prime, hand_over, delete_prime, free_prime, release_volume, release_claim, complain>;
populate_step next_step(populate_sight const& it);

/// Gives the volume to the claim, with policy Retain until it is bound; refused if the volume changed since it was read.
json::value hand_over_patch(json::value const& volume, json::value const& claim);
/// Restores the volume's policy, and removes kopiur's marks.
json::value release_patch(json::value const& volume);

}  // namespace kopiur::gateway::kubernetes
