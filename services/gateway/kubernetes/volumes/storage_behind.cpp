#include "services/gateway/kubernetes/volumes/storage_behind.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::value;
using proto::answer_code;

namespace {

constexpr duration patience = 10s, look_again = 250ms;

}  // namespace

awaitable<outcome<void>> release_from(objects& all, storage_behind behind, value owner) {
  object_key key{std::string(behind.kind), "", std::string(owner.text(behind.named_by))};
  if (key.name.empty()) co_return outcome<void>();
  auto there = co_await all.read({key.kind, "", key.name, ""});
  if (!there && there.error().code == answer_code::NotFound) co_return outcome<void>();
  if (!there) co_return std::unexpected(there.error());
  if (there->text(behind.owned_by) != uid_of(owner)) co_return outcome<void>();
  auto done = co_await all.merge(key, json::object{{"spec", json::object{{std::string(behind.policy), "Delete"}}}});
  if (!done) co_return std::unexpected(done.error());
  co_return outcome<void>();
}

awaitable<outcome<void>> remove_with(objects& all, storage_behind behind, value object) {
  if (auto let = co_await release_from(all, behind, object); !let) co_return let;
  auto gone = co_await all.remove({.object = ref_of(object), .annotations = {}});
  if (!gone) co_return std::unexpected(gone.error());
  co_return outcome<void>();
}

awaitable<outcome<value>> ours_at(objects& all, object_key key, std::string run) {
  auto there = co_await all.read({key.kind, key.namespace_, key.name, ""});
  if (!there && there.error().code == answer_code::NotFound) co_return value();
  if (there && label(*there, ours("run")) != run) co_return value();
  co_return there;
}

/// The driver reports when it cut the snapshot, and, after copying it if necessary, that it is usable.
std::optional<std::string> not_yet(snapshot_state until, value const& snapshot) {
  auto* ready = snapshot.at("status.readyToUse");
  if (ready && ready->as_bool() && *ready->as_bool()) return {};
  if (until == snapshot_state::cut && !snapshot.text("status.creationTime").empty()) return {};
  auto kind = std::string(snapshot.text("kind")), why = std::string(snapshot.text("status.error.message"));
  if (!snapshot.find("status")) {
    why = "no snapshot-controller handles it";
    if (kind == "VolumeGroupSnapshot") why += " (which it does with --feature-gates=CSIVolumeGroupSnapshot=true)";
  }
  return "the " + kind + " " + std::string(snapshot.text("metadata.name")) + " is not ready yet" + (why.empty() ? "." : ": " + why);
}

std::string taken_and_gone(std::string_view kind, std::string const& name) {
  return "the " + std::string(kind) + " " + name +
         ", for which the application was at rest, no longer exists, and another one would be of another moment. The next slot takes one.";
}

awaitable<outcome<value>> until_it_is(snapshot_state until, objects& all, clock& time, value snapshot) {
  auto key = key_of(snapshot);
  auto there = outcome<value>(std::move(snapshot));
  for (auto since = time.now(); there; there = co_await all.read({key.kind, key.namespace_, key.name, ""})) {
    auto why = not_yet(until, *there);
    if (!why) co_return there;
    if (time.now() - since > patience) co_return refuse(answer_code::Unavailable, *why);
    co_await time.sleep_for(look_again);
  }
  co_return there;
}

}  // namespace kopiur::gateway::kubernetes
