#include "services/gateway/kubernetes/volumes/captures.hpp"

#include <algorithm>
#include <ranges>

#include "common/encoding/join.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr duration end_may_take = 10s, look_again = 250ms;
constexpr char const *snapshot_kind = "VolumeSnapshot", *group_kind = "VolumeGroupSnapshot";

/// An annotation of a capture: the claims that it was created for.
std::string made_for() { return ours("claims"); }

std::vector<std::string> claims_of(value const& group) {
  std::vector<std::string> claims;
  for (auto each : annotation(group, made_for()) | std::views::split(',')) claims.emplace_back(each.begin(), each.end());
  return claims;
}

}  // namespace

std::string capture_label(std::string_view name) { return ours(name); }

value capture_manifest(std::string const& ns, proto::capture const& capture) {
  value metadata =
      object{{"name", capture.name},
             {"namespace", ns},
             {"labels", object{{ours("run"), capture.name}, {std::string(proto::label::managed_by), proto::label::managed_by_us}}},
             {"annotations", object{{made_for(), encoding::join(capture.claims, ",")}}}};
  value selector = object{{"matchLabels", object{{capture_label(capture.name), capture.group}}}};
  return object{{"apiVersion", resource_of(group_kind)->group_version},
                {"kind", group_kind},
                {"metadata", std::move(metadata)},
                {"spec", object{{"source", object{{"selector", std::move(selector)}}}}}};
}

std::map<std::string, value> members_of(json::array snapshots, value const& group) {
  std::map<std::string, value> members;
  for (auto& each : snapshots) {
    auto* owners = each.at("metadata.ownerReferences");
    if (!owners || !owners->as_array()) continue;
    if (std::ranges::none_of(*owners->as_array(), [&](value const& owner) { return owner.text("uid") == uid_of(group); })) continue;
    auto claim = std::string(each.text("spec.source.persistentVolumeClaimName"));
    each.set("kind", snapshot_kind);
    members.insert_or_assign(std::move(claim), std::move(each));
  }
  return members;
}

std::vector<std::string> missing_in(value const& group, std::map<std::string, value> const& members) {
  auto missing = claims_of(group);
  std::erase_if(missing, [&](std::string const& claim) { return members.contains(claim); });
  return missing;
}

// ---- creation

awaitable<outcome<value>> captures::snapshot_in(std::string ns, proto::capture capture, std::string claim, snapshot_state until,
                                                bool taken) {
  auto there = co_await objects_.read({group_kind, ns, capture.name, ""});
  if (!there && taken && there.error().code == answer_code::NotFound)
    co_return refuse(answer_code::Invalid, taken_and_gone(group_kind, capture.name));
  if (!there && there.error().code == answer_code::NotFound) there = co_await make(ns, capture);
  if (!there) co_return there;
  auto name = key_of(*there).text();
  if (is_terminating(*there)) co_return refuse(answer_code::Unavailable, name + " is being deleted; it will be created again.");
  if (auto made_of = claims_of(*there); std::ranges::find(made_of, claim) == made_of.end())
    co_return refuse(answer_code::Invalid, "the claim " + claim + " came after " + name + " was taken of " +
                                               encoding::join(made_of, " and ") + ": it is saved with the next group.");
  auto group = co_await until_it_is(until, objects_, time_, std::move(*there));
  if (!group) co_return group;
  auto found = co_await members(*group);
  if (!found) co_return std::unexpected(found.error());
  auto missing = missing_in(*group, *found);
  if (missing.empty()) co_return co_await until_it_is(until, objects_, time_, std::move(found->at(claim)));
  if (not_yet(snapshot_state::ready, *group))  // its members appear one after the other
    co_return refuse(answer_code::Unavailable, name + " is taken; waiting for its members " + encoding::join(missing, " and ") + ".");
  if (taken) co_return refuse(answer_code::Invalid, taken_and_gone(snapshot_kind, "of the claim " + encoding::join(missing, " and ")));
  if (auto gone = co_await take_away(std::move(*group)); !gone) co_return std::unexpected(gone.error());
  co_return refuse(answer_code::Unavailable, name + " was taken without " + encoding::join(missing, " and ") + "; it is taken again.");
}

awaitable<outcome<value>> captures::make(std::string ns, proto::capture capture) {
  for (auto const& claim : capture.claims)
    if (auto done = co_await label_claim(key_to<proto::persistent_volume_claim>(ns, claim), capture.name, capture.group); !done)
      co_return std::unexpected(done.error());
  auto made = co_await objects_.create(capture_manifest(ns, capture));
  if (!made && made.error().code == answer_code::NotFound)
    co_return refuse(answer_code::Invalid,
                     "groupBy VolumeGroupSnapshot needs that kind (" + std::string(resource_of(group_kind)->group_version) +
                         "), and this cluster does not have it: install the snapshot-controller with its CRDs of groups and "
                         "--feature-gates=CSIVolumeGroupSnapshot=true, or say groupBy None.");
  co_return made;
}

awaitable<outcome<std::map<std::string, value>>> captures::members(value group) {
  auto all = co_await api_.ask({.path = path_of(*resource_of(snapshot_kind), key_of(group).namespace_)});
  if (!all) co_return refused(all.error());
  co_return members_of(items_of(std::move(*all)), group);
}

/// `text` null: removes the label. A deleted claim needs no removal.
awaitable<outcome<void>> captures::label_claim(object_key claim, std::string name, value text) {
  bool goes = text.is_null();
  value labels = object{{capture_label(name), std::move(text)}};
  auto done = co_await objects_.merge(claim, object{{"metadata", object{{"labels", std::move(labels)}}}});
  if (done || (goes && done.error().code == answer_code::NotFound)) co_return outcome<void>();
  if (done.error().code == answer_code::NotFound)
    co_return refuse(answer_code::Unavailable, "the claim " + claim.text() + " does not exist.");
  co_return std::unexpected(done.error());
}

// ---- deletion

awaitable<outcome<void>> captures::remove(proto::delete_capture command) {
  object_key key{group_kind, command.namespace_, command.name};
  for (auto since = time_.now();; co_await time_.sleep_for(look_again)) {
    auto there = co_await ours_at(objects_, key, key.name);
    if (!there) co_return std::unexpected(there.error());
    if (there->is_null()) break;
    if (time_.now() - since > end_may_take) co_return refuse(answer_code::Unavailable, key.text() + " is still being deleted.");
    if (is_terminating(*there)) continue;
    if (auto gone = co_await take_away(std::move(*there)); !gone) co_return gone;
  }
  for (auto const& claim : command.claims)
    if (auto done = co_await label_claim(key_to<proto::persistent_volume_claim>(key.namespace_, claim), key.name, value()); !done)
      co_return done;
  co_return outcome<void>();
}

/// With its storage, regardless of the class's policy: only kopiur knows of it.
awaitable<outcome<void>> captures::take_away(value group) {
  auto found = co_await members(group);
  if (!found) co_return std::unexpected(found.error());
  for (auto const& [_, member] : *found)
    if (auto let = co_await release_from(objects_, of_snapshot, member); !let) co_return let;
  co_return co_await remove_with(objects_, of_group, std::move(group));
}

}  // namespace kopiur::gateway::kubernetes
