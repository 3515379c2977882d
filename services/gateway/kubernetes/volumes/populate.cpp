#include "services/gateway/kubernetes/volumes/populate.hpp"

#include <algorithm>

#include "proto/kinds.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/seals.hpp"
#include "services/gateway/core/volumes.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;

namespace {

constexpr std::string_view selected_node = "volume.kubernetes.io/selected-node";

std::string prime_of() { return ours("prime-of"); }
std::string filled_before_of() { return ours("filled-before"); }
std::string own_policy() { return ours("own-reclaim-policy"); }

bool is_held(value const& claim) {
  auto* all = claim.at("metadata.finalizers");
  auto* items = all ? all->as_array() : nullptr;
  return items && std::ranges::find(*items, value(hold())) != items->end();
}

bool is_claimed_by(value const& volume, value const& claim) {
  auto* ref = volume.at("spec.claimRef");
  return ref && ref->text("uid") == uid_of(claim) && ref->text("name") == claim.text("metadata.name") &&
         ref->text("namespace") == claim.text("metadata.namespace");
}

bool is_bound_to(value const& claim, value const& volume) {
  return claim.text("status.phase") == "Bound" && claim.text("spec.volumeName") == volume.text("metadata.name") &&
         is_claimed_by(volume, claim);
}

bool names_its_filler(value const& claim) {
  return !filling_restore(claim).empty() && proven_or_not(claim, proto::annotation::restored_by) == filling_restore(claim);
}

/// The Restore's status says that it has served this very claim.
bool is_served(populate_sight const& it) {
  auto* served = it.restore ? it.restore->at("status.claims") : nullptr;
  auto* claims = served ? served->as_array() : nullptr;
  return claims && std::ranges::any_of(
                       *claims, [&](value const& one) { return one.text("uid") == uid_of(it.claim) && one.text("phase") == "Completed"; });
}

/// Its Restore has filled it: a seal proves the mark, or the Restore's status says the same.
bool says_filled(populate_sight const& it) {
  bool sealed = !annotation(it.claim, proto::annotation::restored_by).empty();
  return names_its_filler(it.claim) && (sealed || is_served(it));
}
std::string_view snapshot_in(value const& claim) { return proven_or_not(claim, proto::annotation::restored_snapshot); }

/// The Restore served this very claim and found nothing to restore.
bool stays_empty(populate_sight const& it) { return names_its_filler(it.claim) && snapshot_in(it.claim) == "none" && is_served(it); }

bool is_newly_marked(value const& claim, value const& prime) {
  return proven_or_not(claim, proto::annotation::restored_at) != annotation(prime, filled_before_of());
}

release_claim last_word(populate_sight const& it, bool done) {
  if (done)
    return {"Normal", "Restored",
            "The Restore " + filling_restore(it.claim) + " is done, and the claim is bound to its volume " +
                std::string(it.volume->text("metadata.name")) + "."};
  if (is_terminating(it.claim)) return {};
  return {"Warning", "NotRestored",
          "The claim was bound to the volume " + std::string(it.claim.text("spec.volumeName")) +
              " before a Restore could fill one for it: make the claim again, with a StorageClass that provisions volumes."};
}

/// The claim has what it needs, or needs nothing any more: the rest of its filling is removed. The volume's marks are removed last: they
/// tell the next gateway what existed.
populate_step clean_up(populate_sight const& it, bool done) {
  if (it.prime) {
    if (is_terminating(*it.prime)) return free_prime{};
    return delete_prime{.verify = done};
  }
  if (is_held(it.claim)) return last_word(it, done);
  if (it.volume && !annotation(*it.volume, handed_to()).empty()) return release_volume{};
  return nothing_due{};
}

populate_step with_prime(populate_sight const& it) {
  if (!says_filled(it) || !is_newly_marked(it.claim, *it.prime) || !it.volume) return nothing_due{};
  if (is_claimed_by(*it.volume, *it.prime) && !is_terminating(*it.volume)) return hand_over{};
  return complain{"VolumeTaken", "The volume " + std::string(it.volume->text("metadata.name")) +
                                     " that a Restore has filled for this claim is being deleted, or is another claim's (spec.claimRef): "
                                     "make the claim again."};
}

populate_step without_prime(populate_sight const& it) {
  if (stays_empty(it)) return make_prime{};
  // Not filled: the prime claim is created with the mover's Job.
  auto again = "annotate the Restore " + filling_restore(it.claim) + " with " + std::string(proto::annotation::restore_again) + ".";
  if (names_its_filler(it.claim) && !says_filled(it))
    return complain{"FillNotProven", "The claim says that it was filled (" + std::string(proto::annotation::restored_by) +
                                         "), and nothing proves that kopiur wrote this. It is not filled again by itself: " + again};
  if (!says_filled(it) || snapshot_in(it.claim) == "none") return nothing_due{};
  return complain{"VolumeLost", "The volume that a Restore filled for this claim no longer exists. Create the claim again, or " + again};
}

}  // namespace

std::string hold() { return ours("populate-target-protection"); }
std::string handed_to() { return ours("handed-to"); }
std::string prime_name(value const& claim) { return proto::prime_name(uid_of(claim)); }

bool is_unserved(value const& claim) { return claim.text("spec.volumeName").empty() && !is_terminating(claim); }

value prime_manifest(value const& claim, std::string_view filled_before) {
  auto spec = *claim.find("spec");
  for (auto* not_its : {"dataSource", "dataSourceRef", "volumeName"}) spec.erase(not_its);
  value notes = object{{filled_before_of(), filled_before}};
  if (auto node = annotation(claim, selected_node); !node.empty()) notes.set(selected_node, node);
  value owner = object{{"apiVersion", "v1"},
                       {"kind", proto::persistent_volume_claim::info.kind},
                       {"name", claim.text("metadata.name")},
                       {"uid", uid_of(claim)},
                       {"controller", true}};
  value labels = object{{prime_of(), uid_of(claim)}, {std::string(proto::label::managed_by), proto::label::managed_by_us}};
  return object{{"apiVersion", "v1"},
                {"kind", proto::persistent_volume_claim::info.kind},
                {"metadata", object{{"name", prime_name(claim)},
                                    {"namespace", claim.text("metadata.namespace")},
                                    {"labels", std::move(labels)},
                                    {"annotations", std::move(notes)},
                                    {"ownerReferences", json::array{std::move(owner)}}}},
                {"spec", std::move(spec)}};
}

bool is_prime(value const& object) {
  return object.text("kind") == proto::persistent_volume_claim::info.kind && object.text("metadata.name").starts_with("prime-") &&
         !label(object, prime_of()).empty();
}

bool is_prime_of(value const& object, value const& claim) {
  auto* owner = first_of(object.at("metadata.ownerReferences"));
  return is_prime(object) && label(object, prime_of()) == uid_of(claim) && owner && owner->text("uid") == uid_of(claim);
}

bool is_filled(value const& claim, value const& prime) {
  return !annotation(claim, proto::annotation::restored_by).empty() && names_its_filler(claim) && is_newly_marked(claim, prime);
}

populate_step next_step(populate_sight const& it) {
  bool done = it.volume && is_bound_to(it.claim, *it.volume);
  auto bound_to = it.claim.text("spec.volumeName");
  bool elsewhere = !bound_to.empty() && !(it.volume && bound_to == it.volume->text("metadata.name"));
  if (done || elsewhere || is_terminating(it.claim)) return clean_up(it, done);
  if (!is_held(it.claim)) return it.prime || stays_empty(it) ? populate_step(hold_claim{}) : nothing_due{};
  if (it.volume && is_claimed_by(*it.volume, it.claim)) return nothing_due{};  // the volume controller binds it
  return it.prime ? with_prime(it) : without_prime(it);
}

value hand_over_patch(value const& volume, value const& claim) {
  value notes = object{{handed_to(), holder_text(claim)}, {own_policy(), volume.text("spec.persistentVolumeReclaimPolicy")}};
  value claim_ref = object{{"namespace", claim.text("metadata.namespace")},
                           {"name", claim.text("metadata.name")},
                           {"uid", uid_of(claim)},
                           {"resourceVersion", nullptr}};
  return object{{"metadata", object{{"uid", uid_of(volume)}, {"resourceVersion", version_of(volume)}, {"annotations", std::move(notes)}}},
                {"spec", object{{"persistentVolumeReclaimPolicy", "Retain"}, {"claimRef", std::move(claim_ref)}}}};
}

value release_patch(value const& volume) {
  value patch = object{{"metadata", object{{"uid", uid_of(volume)},
                                           {"resourceVersion", version_of(volume)},
                                           {"annotations", object{{handed_to(), nullptr}, {own_policy(), nullptr}}}}}};
  if (auto policy = annotation(volume, own_policy()); !policy.empty()) patch.set("spec", object{{"persistentVolumeReclaimPolicy", policy}});
  return patch;
}

}  // namespace kopiur::gateway::kubernetes
