#include "proto/examine.hpp"

#include <fmt/format.h>

#include "common/json/codec.hpp"
#include "common/time/cron.hpp"
#include "common/time/zone.hpp"
#include "proto/kinds/kinds.hpp"
#include "proto/metadata_check.hpp"

namespace kopiur::proto {
namespace {

using json::value;

/// The pair that `slot` holds: jitter moves an act into the time of the next slot where it may be as long as the gap.
void check_jitter(value const& manifest, std::string const& slot, std::vector<finding>& out) {
  auto window = duration_from(manifest.text(slot + ".jitter"));
  auto cron = cron::schedule::parse(manifest.text(slot + ".cron"), "");
  if (!window || !cron || *window < cron->shortest_gap()) return;
  out.push_back({slot + ".jitter",
                 fmt::format("Slots are only {} apart, so a run could be moved past the next one.", to_text(cron->shortest_gap())),
                 "Write a jitter below that."});
}

/// A kind of Kubernetes' own: what the API server would check is not repeated, only what we would stumble over.
template <class Kind>
void read_core(value const& manifest, std::vector<finding>& out) {
  check_metadata(Kind::info, manifest, out);
  auto typed = json::decode<Kind>(manifest);
  if (!typed) out.push_back({typed.error().where, fmt::format("It {}.", typed.error().what), "Correct it."});
}

bool examine_core(value const& manifest, std::vector<finding>& out) {
  if (manifest.text("apiVersion") != "v1") return false;
  bool known = false;
  boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, core_kinds>>([&](auto id) {
    using kind = typename decltype(id)::type;
    if (manifest.text("kind") != kind::info.kind) return;
    known = true;
    read_core<kind>(manifest, out);
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
  if (examine_core(manifest, out)) return out;
  auto kind = manifest.text("kind");
  out = current ? validate_update(kind, *current, manifest, schedule_parsers()) : validate(kind, manifest, schedule_parsers());
  if (!out.empty()) return out;
  auto full = with_defaults(kind, manifest);
  if (kind == backup_schedule::info.kind) check_jitter(full, "spec.schedule", out);
  if (kind == maintenance::info.kind) check_jitter(full, "spec.schedule.quick", out), check_jitter(full, "spec.schedule.full", out);
  return out;
}

}  // namespace kopiur::proto
