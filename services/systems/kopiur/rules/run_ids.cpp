#include "services/systems/kopiur/rules/run_ids.hpp"

#include "common/hash/stable_hash.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

std::string made_of(std::initializer_list<std::string_view> parts) { return "backup-" + hash::digest_hex(parts, 16); }

bool is_of_its_slot(backup const& object, std::string_view run, bool or_former) {
  auto slot = instant_from(controller::lookup(object.metadata.annotations, annotation::slot));
  auto uid = controller::lookup(object.metadata.annotations, annotation::schedule_uid);
  if (!slot || run.empty()) return false;
  auto source = object.spec.source_path.value_or("");
  if (object.metadata.name != backup_name(controller::lookup(object.metadata.labels, label::backup_schedule), *slot, source)) return false;
  return slot_run(object.metadata.namespace_, uid, *slot, source) == run || (or_former && former_slot_run(uid, *slot, source) == run);
}

bool is_of_its_parent(controller::objects const& all, backup const& object, std::string_view run) {
  auto* parent = find(all.of<backup>(), object.metadata.namespace_, std::string(group_of(object)));
  auto& path = object.spec.source_path;
  return parent && path && object.metadata.name == sibling_name(*parent, *path) && sibling_run(*parent, *path) == run;
}

}  // namespace

std::string slot_run(std::string_view ns, std::string_view schedule_uid, instant slot, std::string_view source) {
  return made_of({"slot", ns, schedule_uid, to_text(slot), source});
}

std::string former_slot_run(std::string_view schedule_uid, instant slot, std::string_view source) {
  return made_of({"slot", schedule_uid, to_text(slot), source});
}

std::string sibling_run(backup const& parent, std::string_view path) { return made_of({"sibling", parent.metadata.uid, path}); }

std::string sibling_name(backup const& parent, std::string_view path) {
  auto name = parent.metadata.name + "-" + hash::digest_hex({parent.metadata.uid, path}, 6);
  return name.size() <= 63 ? name : name.substr(0, 54) + "-" + hash::digest_hex({name}, 8);
}

std::string own_run(backup const& object) { return made_of({"backup", object.metadata.uid}); }

std::optional<scheduled> scheduled_for(backup const& object) {
  auto &notes = object.metadata.annotations, &labels = object.metadata.labels;
  scheduled by{controller::lookup(notes, annotation::schedule_uid), controller::lookup(notes, annotation::slot)};
  if (by.schedule_uid.empty() || !is_of_its_slot(object, controller::lookup(labels, label::run), true)) return {};
  return by;
}

std::optional<std::string_view> slot_of(backup const& object, std::string_view schedule_uid) {
  bool says_so = controller::lookup(object.metadata.annotations, annotation::schedule_uid) == schedule_uid;
  auto by = says_so ? scheduled_for(object) : std::nullopt;
  return by ? std::optional(by->slot) : std::nullopt;
}

bool proves_its_run(controller::objects const& all, backup const& object) {
  auto run = controller::lookup(object.metadata.labels, label::run);
  if (run.empty()) return false;
  auto& job = object.status.job;
  return (job && job->name.starts_with(std::string(run) + "-")) || is_of_its_slot(object, run, false) || is_of_its_parent(all, object, run);
}

}  // namespace kopiur::rules
