#include <algorithm>

#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/codec.hpp"

/// Unmounted or emptied volumes, and invariant 14: a snapshot that shrank is held until a user accepts it.
namespace kopiur::simulation {

using namespace std::chrono_literals;
using namespace proto;

/// Mounted again within the hour, or never.
bool story::user_empties_a_volume(std::string const& ns) {
  auto* claim = users_.chance(0.5) ? "one" : "two";
  auto& volume = data_.volume_of(ns, claim);
  if (volume.files == 0) return false;
  volume.files = 0;
  if (users_.chance(0.8)) home_.at(home_.now() + users_.between(5min, 60min), [&volume] { volume.files = 100; });
  return true;
}

bool story::user_accepts(std::string const& ns) {
  auto* one = pick("Backup", [&](json::value const& each) {
    return each.text("metadata.namespace") == ns && each.text("status.phase") == "Held" && each.at("status.shrunk");
  });
  if (!one) return false;
  accepted_.insert(ns + std::string(one->text("status.snapshot.identity.sourcePath")));
  annotate(*one, annotation::accept_shrink, std::string(one->text("status.shrunk.snapshot")));
  return true;
}

/// True if the snapshot has no files, an older one of its source that still exists has some, and no user has accepted shrinking for that
/// source.
bool story::has_shrunk(std::string const& ns, std::string const& id) {
  auto& all = data_.repository_at("/" + ns).snapshots;
  auto found = all.find(id);
  if (found == all.end() || found->second.foreign || found->second.row.files > 0) return false;
  auto& it = found->second;
  if (accepted_.contains(ns + it.row.source.source_path)) return false;
  return std::ranges::any_of(all, [&](auto& each) {
    auto& older = each.second;
    return older.row.source == it.row.source && older.row.files > 0 && older.since < it.since;
  });
}

void story::check_saved(json::value const& object) {
  auto id = std::string(object.text("status.snapshot.kopiaSnapshotID"));
  if (object.text("kind") != "Backup") return;
  auto* ready = condition_of(object, "Ready");
  bool of_one_source = object.at("spec.sourcePath") && ready && ready->text("reason") != "Unchanged";
  if (id.empty() && of_one_source) violate("15 a Backup was told as saved that has no snapshot", std::string(object.text("metadata.name")));
  if (id.empty()) return;
  summary_.add("checked: held");
  if (has_shrunk(std::string(object.text("metadata.namespace")), id))
    violate("14 a source that shrank was told as saved", std::string(object.text("metadata.name")));
}

/// Retention may delete a snapshot with files only while another one of ours has files, too. Which is newer is not compared: clocks are
/// stepped (seed 795851711).
void story::check_displaced(backup const& gone) {
  auto& ns = gone.metadata.namespace_;
  auto& all = data_.repository_at("/" + ns).snapshots;
  auto id = gone.status.snapshot ? gone.status.snapshot->kopia_snapshot_ID : std::string();
  auto found = all.find(id);
  if (gone.status.phase != backup_phase::Succeeded || found == all.end() || found->second.row.files == 0) return;
  auto& it = found->second;
  if (accepted_.contains(ns + it.row.source.source_path)) return;
  bool another = std::ranges::any_of(all, [&](auto& each) {
    auto& row = each.second.row;
    return each.first != id && row.run && row.source == it.row.source && row.files > 0;
  });
  if (!another) violate("14 a good Backup was displaced by what shrank", gone.metadata.name);
}

}  // namespace kopiur::simulation
