#include "services/systems/buckety/admission.hpp"

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/systems/buckety/configuration.hpp"
#include "services/systems/buckety/rules/parameters.hpp"
#include "services/systems/buckety/rules/standing.hpp"

namespace kopiur::buckety {

using controller::finding;
using controller::verdict;

namespace {

/// A Buckety, and the one that it changes.
struct change {
  proto::buckety wanted;
  std::optional<proto::buckety> current;
};

std::vector<finding> unknown_backend(controller_config const& config, std::string const& name) {
  auto there = encoding::join(config.backends, ", ", &backend::name);
  return {{"spec.backend", "The controller's configuration has no backend " + name + ". It has: " + there + "."}};
}

std::optional<finding> wrong_name(change const& it, driver_rules const& driver, backend const& chosen) {
  auto name = resolved(it.wanted.spec.name.value_or(""), sources_of(it.wanted, chosen));
  if (!name) return finding{"spec.name", name.error()};
  if (auto wrong = driver.validate_name(*name)) return finding{"spec.name", *wrong};
  return {};
}

std::expected<parameters, refusals> parameters_of(proto::buckety const& object, driver_rules const& driver, backend const& chosen) {
  return effective(driver, chosen, object.spec.parameters, sources_of(object, chosen));
}

refusals wrong_parameters(change const& it, driver_rules const& driver, backend const& chosen) {
  auto wanted = parameters_of(it.wanted, driver, chosen);
  if (!wanted) return wanted.error();
  auto before = it.current ? parameters_of(*it.current, driver, chosen) : std::unexpected(refusals{});
  return before ? driver.validate_update(chosen.config, *before, *wanted) : driver.validate_parameters(chosen.config, *wanted);
}

std::vector<finding> faults_of(change const& it, controller_config const& config) {
  auto stamp = it.current ? stamp_of(it.current->status) : backend_stamp{};
  auto judged = buckety::judge(config, all_drivers(), it.wanted.spec.backend, stamp);
  if (judged.standing == backend_standing::NotInConfig && !it.current) return unknown_backend(config, it.wanted.spec.backend);
  if (judged.standing != backend_standing::Usable) return {};  // the status reports it; the user cannot mend it
  bool stamped = it.current && it.current->status.backend_resource_name;
  auto checks = it.current ? checks_of_update(true, false, stamped) : update_checks{.name = true, .parameters = true};
  std::vector<finding> faults;
  if (auto wrong = checks.name ? wrong_name(it, *judged.driver, *judged.chosen) : std::nullopt) faults.push_back(std::move(*wrong));
  if (checks.parameters)
    for (auto& [key, sentence] : wrong_parameters(it, *judged.driver, *judged.chosen))
      faults.push_back({"spec.parameters", key + ": " + sentence});
  return faults;
}

/// Nothing: there is none, or it cannot be read.
template <class T>
std::optional<T> decoded(json::value const* manifest) {
  auto read = manifest ? json::decode<T>(*manifest) : std::unexpected(json::problem{});
  if (!read) return {};
  if (read->metadata.namespace_.empty()) read->metadata.namespace_ = "default";
  return std::move(*read);
}

verdict judge_buckety(controller::submission const& one) {
  auto* config = dynamic_cast<configuration const*>(one.config);
  auto wanted = decoded<proto::buckety>(&one.manifest);
  if (!config || !wanted) return {};
  change it{.wanted = std::move(*wanted), .current = decoded<proto::buckety>(one.current)};
  return {.faults = faults_of(it, config->backends), .warnings = {}};
}

verdict judge_access(controller::submission const& one) {
  auto wanted = decoded<proto::buckety_access>(&one.manifest);
  if (!wanted || controller::find(one.beside.of<proto::buckety>(), wanted->metadata.namespace_, wanted->spec.buckety_ref.name)) return {};
  return {.faults = {}, .warnings = {{"spec.bucketyRef", "There is no Buckety " + wanted->spec.buckety_ref.name + " yet."}}};
}

}  // namespace

bool judges(std::string_view kind) { return kind == proto::buckety::info.kind || kind == proto::buckety_access::info.kind; }

verdict judge(controller::submission const& wanted) {
  return wanted.manifest.text("kind") == proto::buckety::info.kind ? judge_buckety(wanted) : judge_access(wanted);
}

}  // namespace kopiur::buckety
