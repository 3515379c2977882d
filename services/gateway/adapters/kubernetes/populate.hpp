#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "proto/events/object_ref.hpp"

/// How a claim that names one of our Restores as its data source comes to a filled volume: what is to be done next, as a function of what
/// the cluster has. The mover fills a prime claim in its place; the volume of that one is handed over, and the volume controller binds it.
/// Every step can be cut off anywhere: the next look goes on from what is there. Source of the contract: lib-volume-populator.
namespace kopiur::gateway::kubernetes {

/// It has no volume, nor has the mark that it is being deleted.
bool is_unserved(json::value const& claim);

/// `prime-<uid of the claim>`, in the claim's namespace.
std::string prime_name(json::value const& claim);
/// A claim like `claim` but for its data source. It belongs to the claim. `filled_before`: what `restored-at` says of the claim now; a
/// later filling says something else, however the claim came by the mark.
json::value prime_manifest(json::value const& claim, std::string_view filled_before);
/// A prime claim, of any claim: nobody's business but the populator's.
bool is_prime(json::value const& object);
/// The prime claim of just this claim.
bool is_prime_of(json::value const& object, json::value const& claim);
/// The mover has filled the prime claim: a sealed mark of the claim says so, and did not when the prime claim was made.
bool is_filled(json::value const& claim, json::value const& prime);

/// Holds a claim until nothing of its filling is left: set before the prime claim is made.
std::string hold();
/// On a volume that is handed over: `<namespace>/<name>/<uid>` of the claim, until that is bound.
std::string handed_to();

/// What the cluster has of one claim, whose marks are judged (seals.hpp). Null: it does not exist.
struct populate_sight {
  json::value const& claim;
  json::value const* prime = nullptr;    ///< the claim's
  json::value const* volume = nullptr;   ///< that was handed over to the claim, else the prime claim's
  json::value const* restore = nullptr;  ///< that the claim names
};

struct nothing_due {};
struct hold_claim {};  ///< put hold() on it
struct make_prime {};  ///< for a volume that stays empty; what a mover fills is made when its Job is
struct hand_over {};   ///< hand_over_patch() for the volume
struct delete_prime {
  bool verify = false;  ///< only while the volume is the claim's: looked at live
};
struct free_prime {};      ///< it is being deleted: pods that use it and have ended go, for they hold it
struct release_volume {};  ///< release_patch() for the volume
struct let_go {
  std::string type, reason, message;  ///< of the Event to be recorded; empty: none
};
struct complain {
  std::string reason, message;  ///< a Warning on the claim: only a user can help
};
using populate_step =
    std::variant<nothing_due, hold_claim, make_prime, hand_over, delete_prime, free_prime, release_volume, let_go, complain>;
populate_step next_step(populate_sight const& it);

/// The volume becomes the claim's, kept by all means until it is bound; nothing else happened to it since it was seen.
json::value hand_over_patch(json::value const& volume, json::value const& claim);
/// The volume's policy is again what it was, and our marks are gone.
json::value release_patch(json::value const& volume);

}  // namespace kopiur::gateway::kubernetes
