#include "services/systems/kopiur/rules/fitness.hpp"

#include <ranges>

#include "proto/kopiur/names.hpp"
#include "proto/validate.hpp"
#include "services/controller/core/condition.hpp"

namespace kopiur::rules {

namespace {

constexpr std::size_t told = 3;

}  // namespace

std::optional<std::string> spec_unfit(std::string_view kind, proto::object_meta const& meta, json::value spec) {
  json::value object = json::object{{"apiVersion", proto::api_version},
                                    {"kind", kind},
                                    {"metadata", json::object{{"name", meta.name}, {"namespace", meta.namespace_}}},
                                    {"spec", std::move(spec)}};
  if (meta.namespace_.empty()) object.find("metadata")->erase("namespace");
  auto found = proto::validate(kind, object);
  if (found.empty()) return std::nullopt;
  std::string message = "It works as before, but a new object like it would be refused.";
  for (auto& each : found | std::views::take(told)) message += " " + each.text();
  if (found.size() > told) message += " And " + std::to_string(found.size() - told) + " more.";
  return message;
}

std::optional<proto::condition_fragment> fitness(std::string_view type, std::vector<proto::condition> const& stated,
                                                 std::string_view reason, std::optional<std::string> unfit, std::string_view fit) {
  if (unfit) return controller::condition(type, false, std::string(reason), std::move(*unfit));
  if (!controller::find_condition(stated, type)) return std::nullopt;
  return controller::condition(type, true, "Fit", std::string(fit));
}

}  // namespace kopiur::rules
