#include "services/gateway/adapters/local/admission.hpp"

#include "common/time/cron.hpp"
#include "common/time/zone.hpp"
#include "proto/kinds/names.hpp"
#include "proto/validate.hpp"

namespace kopiur::gateway::local {

namespace {

template <class T>
std::optional<std::string> complaint(std::expected<T, std::string> const& read) {
  if (read) return std::nullopt;
  return read.error();
}

proto::format_checks const& parsers() {
  static proto::format_checks const all{.cron = [](std::string_view text) { return complaint(cron::schedule::parse(text, "")); },
                                        .timezone = [](std::string_view name) { return complaint(zone::find(name)); }};
  return all;
}

}  // namespace

std::vector<finding> admission(json::value const& manifest, json::value const* current) {
  auto version = manifest.text("apiVersion");
  if (!version.starts_with(proto::api_group) || version.substr(proto::api_group.size()).substr(0, 1) != "/") return {};
  auto kind = manifest.text("kind");
  auto wrong = current ? proto::validate_update(kind, *current, manifest, parsers()) : proto::validate(kind, manifest, parsers());
  std::vector<finding> all;
  for (auto& each : wrong) all.push_back({each.path, each.message + (each.hint.empty() ? "" : " " + each.hint)});
  return all;
}

}  // namespace kopiur::gateway::local
