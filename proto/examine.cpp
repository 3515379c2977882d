#include "proto/examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/json/codec.hpp"
#include "common/time/cron.hpp"
#include "common/time/zone.hpp"
#include "proto/kinds.hpp"
#include "proto/metadata_check.hpp"
#include "proto/placeholders.hpp"

namespace kopiur::proto {
namespace {

using json::value;

/// Checks `slot.cron` and `slot.jitter`: a jitter as long as the gap could move a run into the time of the next slot.
void check_jitter(value const& manifest, std::string const& slot, std::vector<finding>& out) {
  auto window = duration_from(manifest.text(slot + ".jitter"));
  auto cron = cron::schedule::parse(manifest.text(slot + ".cron"), "");
  if (!window || !cron || *window < cron->shortest_gap()) return;
  out.push_back({slot + ".jitter",
                 fmt::format("Slots are only {} apart, so a run could be moved past the next one.", to_text(cron->shortest_gap())),
                 "Write a jitter below that."});
}

/// Content that a volume or Secret must not have. `before` is the stored object (null: the object is new); content that it has already is
/// accepted.
void check_content(persistent_volume const& volume, value const&, value const& before, std::vector<finding>& out) {
  auto path = volume.spec.host_path ? volume.spec.host_path->path : "/";
  if (before.at("spec.hostPath.path") && before.text("spec.hostPath.path") == path) return;
  if (!path.starts_with('/'))
    out.push_back({"spec.hostPath.path", fmt::format("`{}` is not an absolute path.", path.substr(0, 64)),
                   "Write it from the root, as in /home/ana/docs; `~` and `file://` mean nothing here."});
  if (is_unfilled(path))
    out.push_back(
        {"spec.hostPath.path", std::string(placeholders::why_not), "Write the path itself, or let that program fill it in first."});
}
void check_content(secret const&, value const& manifest, value const& before, std::vector<finding>& out) {
  static constexpr std::array<std::string_view, 7> known{"apiVersion", "kind", "metadata", "type", "data", "stringData", "immutable"};
  for (auto& [name, _] : *manifest.as_object()) {
    if (std::ranges::find(known, name) != known.end() || before.find(name)) continue;
    out.push_back({name.substr(0, 64), "A Secret has no such member.",
                   name == "sops" ? "It is still encrypted by SOPS: put here what `sops decrypt` makes of it." : "Remove it."});
  }
}

/// Another API group has no Restore, so such a claim would be bound to an empty volume.
void check_content(persistent_volume_claim const& claim, value const&, value const& before, std::vector<finding>& out) {
  for (auto& [field, source] : {std::pair("spec.dataSourceRef", claim.spec.data_source_ref), {"spec.dataSource", claim.spec.data_source}}) {
    if (!source || source->kind != restore::info.kind || source->api_group == group_of(restore::info) || before.at(field)) continue;
    out.push_back({std::string(field) + ".apiGroup", fmt::format("The API group `{}` has no Restore.", source->api_group.value_or("")),
                   fmt::format("Write {}.", group_of(restore::info))});
  }
}

void check_content(auto const&, value const&, value const&, std::vector<finding>&) {}

/// Checks a Kubernetes kind: only what would break the local adapter, not everything that an API server checks.
template <class Kind>
void read_core(value const& manifest, value const& before, std::vector<finding>& out) {
  check_metadata(Kind::info, manifest, out);
  auto typed = json::decode<Kind>(manifest);
  if (!typed) return out.push_back({typed.error().where, fmt::format("It {}.", typed.error().what), "Correct it."});
  check_content(*typed, manifest, before, out);
}

bool examine_core(value const& manifest, value const* current, std::vector<finding>& out) {
  static value const nothing;
  if (manifest.text("apiVersion") != "v1") return false;
  bool known = false;
  boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, core_kinds>>([&](auto id) {
    using kind = typename decltype(id)::type;
    if (manifest.text("kind") != kind::info.kind) return;
    known = true;
    read_core<kind>(manifest, current ? *current : nothing, out);
  });
  return known;
}

}  // namespace

format_checks schedule_parsers() {
  return {.cron = [](std::string_view text) -> std::optional<std::string> {
            auto read = cron::schedule::parse(text, "");
            return read ? std::nullopt : std::optional(read.error());
          },
          .timezone = [](std::string_view text) -> std::optional<std::string> {
            auto found = zone::find(text);
            return found ? std::nullopt : std::optional(found.error());
          }};
}

std::vector<finding> examine(value const& manifest, value const* current) {
  std::vector<finding> out;
  if (examine_core(manifest, current, out)) return out;
  auto kind = manifest.text("kind");
  out = current ? validate_update(kind, *current, manifest, schedule_parsers()) : validate(kind, manifest, schedule_parsers());
  if (!out.empty()) return out;
  auto full = with_defaults(kind, manifest);
  if (kind == backup_schedule::info.kind) check_jitter(full, "spec.schedule", out);
  if (kind == maintenance::info.kind) check_jitter(full, "spec.schedule.quick", out), check_jitter(full, "spec.schedule.full", out);
  return out;
}

}  // namespace kopiur::proto
