#include "services/gateway/kubernetes/volumes/copies.hpp"

#include <algorithm>

#include "common/encoding/quantity.hpp"
#include "proto/kinds.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr std::string_view claim_kind = proto::persistent_volume_claim::info.kind;
constexpr auto snapshot_kind = "VolumeSnapshot";

std::string copy_of() { return ours("copy-of"); }

std::string_view size_for(value const& source, value const& snapshot) {
  auto size = source.text("status.capacity.storage");
  if (size.empty()) size = source.text("spec.resources.requests.storage");
  auto least = snapshot.text("status.restoreSize");
  return encoding::bytes_of(least) > encoding::bytes_of(size) ? least : size;
}

value metadata_of(copies_owner const& copied_for, proto::volume_use const& use) {
  value metadata = object{{"name", copy_name(copied_for.run, use.name)},
                          {"namespace", copied_for.namespace_},
                          {"labels", object{{ours("run"), copied_for.run},
                                            {copy_of(), use.claim_name.substr(0, 63)},
                                            {std::string(proto::label::managed_by), proto::label::managed_by_us}}}};
  auto backup = std::ranges::find_if(copied_for.serves, [&](proto::object_ref const& one) {
    return one.kind == proto::backup::info.kind && one.namespace_ == copied_for.namespace_ && !one.uid.empty();
  });
  if (backup == copied_for.serves.end()) return metadata;
  value owner = object{{"apiVersion", proto::api_version}, {"kind", backup->kind}, {"name", backup->name}, {"uid", backup->uid}};
  metadata.set("ownerReferences", json::array{std::move(owner)});
  return metadata;
}

}  // namespace

std::string copy_name(std::string_view run, std::string_view volume) { return std::string(run) + "-" + std::string(volume); }
bool is_copy(value const& object) { return object.text("kind") == claim_kind && !label(object, copy_of()).empty(); }

value snapshot_manifest(copies_owner const& owner, proto::volume_use const& use) {
  value spec = object{{"source", object{{"persistentVolumeClaimName", use.claim_name}}}};
  if (use.copy->snapshot_class) spec.set("volumeSnapshotClassName", *use.copy->snapshot_class);
  return object{{"apiVersion", resource_of(snapshot_kind)->group_version},
                {"kind", snapshot_kind},
                {"metadata", metadata_of(owner, use)},
                {"spec", std::move(spec)}};
}

value copy_manifest(copies_owner const& owner, proto::volume_use const& use, value const& source, value const& snapshot) {
  value from =
      snapshot.is_null()
          ? value(object{{"kind", claim_kind}, {"name", use.claim_name}})
          : value(object{{"apiGroup", "snapshot.storage.k8s.io"}, {"kind", snapshot_kind}, {"name", snapshot.text("metadata.name")}});
  value spec =
      object{{"dataSource", std::move(from)}, {"resources", object{{"requests", object{{"storage", size_for(source, snapshot)}}}}}};
  for (auto* like : {"accessModes", "storageClassName", "volumeMode"})
    if (auto* there = source.find("spec")->find(like)) spec.set(like, *there);
  return object{{"apiVersion", "v1"}, {"kind", claim_kind}, {"metadata", metadata_of(owner, use)}, {"spec", std::move(spec)}};
}

// ---- creation

awaitable<outcome<proto::create_job>> copies::with_copies(proto::create_job command) {
  if (std::ranges::none_of(command.volumes, [](auto const& use) { return use.copy.has_value(); })) co_return command;
  auto job = co_await job_of(command.run, command.attempt, command.namespace_);
  if (!job) co_return std::unexpected(job.error());
  for (auto& use : command.volumes) {
    if (!use.copy) continue;
    if (job->is_null())
      if (auto done = co_await make({command.run, command.namespace_, command.serves}, use); !done) co_return std::unexpected(done.error());
    use.claim_name = copy_name(command.run, use.name);
    use.copy.reset();
  }
  co_return command;
}

awaitable<outcome<void>> copies::capture(proto::capture_volumes command) {
  auto job = co_await job_of(command.run, 1, command.namespace_);
  if (!job) co_return std::unexpected(job.error());
  if (!removed_at(*job).empty())
    co_return refuse(answer_code::Removed, "the run " + command.run + " has ended: nothing more is captured for it.");
  copies_owner const owner{command.run, command.namespace_, command.serves};
  for (auto& use : command.volumes) {
    if (!use.copy || use.copy->clone) continue;
    if (auto source = co_await source_of(owner, use); !source) co_return std::unexpected(source.error());
    if (auto cut = co_await snapshot_for(owner, use, snapshot_state::cut); !cut) co_return std::unexpected(cut.error());
  }
  co_return outcome<void>();
}

/// Null: it does not exist. Read again for a late command: once the Job exists or was removed, nothing may be created, since nothing would
/// delete it.
awaitable<outcome<value>> copies::job_of(std::string run, int attempt, std::string ns) {
  auto there = co_await objects_.read({"Job", std::move(ns), job_name(run, attempt).value_or(""), ""});
  if (!there && there.error().code == answer_code::NotFound) co_return value();
  co_return there;
}

awaitable<outcome<value>> copies::source_of(copies_owner owner, proto::volume_use use) {
  auto key = key_to<proto::persistent_volume_claim>(owner.namespace_, use.claim_name);
  auto source = co_await claim_at(api_, known_, key);
  if (!source) co_return source;
  if (source->is_null()) co_return refuse(answer_code::Unavailable, "the claim " + key.text() + " does not exist.");
  if (source->text("spec.volumeMode") == "Block")
    co_return refuse(answer_code::Invalid, key.text() + " is a device (volumeMode: Block): files are backed up from a Filesystem.");
  co_return source;
}

awaitable<outcome<void>> copies::make(copies_owner owner, proto::volume_use use) {
  auto source = co_await source_of(owner, use);
  if (!source) co_return std::unexpected(source.error());
  auto snapshot = use.copy->clone ? outcome<value>(value()) : co_await snapshot_for(owner, use, snapshot_state::ready);
  if (!snapshot) co_return std::unexpected(snapshot.error());
  auto claim = co_await objects_.create(copy_manifest(owner, use, *source, *snapshot));
  if (!claim) co_return std::unexpected(claim.error());
  if (is_terminating(*claim))
    co_return refuse(answer_code::Unavailable, key_of(*claim).text() + " is being deleted; it will be created again.");
  co_return outcome<void>();
}

awaitable<outcome<value>> copies::snapshot_for(copies_owner owner, proto::volume_use use, snapshot_state until) {
  bool taken = use.copy->taken;
  if (use.copy->together) co_return co_await captures_.snapshot_in(owner.namespace_, *use.copy->together, use.claim_name, until, taken);
  auto there = taken ? co_await objects_.read({snapshot_kind, owner.namespace_, copy_name(owner.run, use.name), ""})
                     : co_await objects_.create(snapshot_manifest(owner, use));
  if (!there && there.error().code == answer_code::NotFound)
    co_return refuse(answer_code::Invalid,
                     taken
                         ? taken_and_gone(snapshot_kind, copy_name(owner.run, use.name))
                         : std::string("copyMethod Snapshot needs the kind VolumeSnapshot, and this cluster does not have it: install the "
                                       "snapshot-controller with its CRDs, or say copyMethod Clone or Direct."));
  if (!there) co_return there;
  co_return co_await until_it_is(until, objects_, time_, std::move(*there));
}

// ---- deletion

awaitable<outcome<void>> copies::remove(proto::delete_job command) {
  for (auto const& volume : command.copies) {
    auto name = copy_name(command.run, volume);
    if (auto gone = co_await take_away(key_to<proto::persistent_volume_claim>(command.namespace_, name), command.run, of_claim); !gone)
      co_return gone;
    if (auto gone = co_await take_away({snapshot_kind, command.namespace_, name}, command.run, of_snapshot); !gone) co_return gone;
  }
  co_return outcome<void>();
}

awaitable<outcome<void>> copies::take_away(object_key key, std::string const& run, storage_behind behind) {
  auto there = co_await ours_at(objects_, key, run);
  if (!there) co_return std::unexpected(there.error());
  if (there->is_null()) co_return outcome<void>();
  if (auto gone = co_await remove_with(objects_, behind, std::move(*there)); !gone) co_return gone;
  if (key.kind == claim_kind) co_return co_await free_of_pods(api_, objects_, key);
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::kubernetes
