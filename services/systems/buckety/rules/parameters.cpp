#include "services/systems/buckety/rules/parameters.hpp"

namespace kopiur::buckety {

naming_sources sources_of(proto::buckety const& object, backend const& chosen) {
  return {.name = object.metadata.name,
          .namespace_ = object.metadata.namespace_,
          .labels = object.metadata.labels,
          .backend_defaults = chosen.defaults};
}

parameters merged(parameters const& of_backend, parameters const& of_object) {
  auto all = of_object;
  all.insert(of_backend.begin(), of_backend.end());
  return all;
}

std::expected<parameters, refusals> effective(driver_rules const& driver, backend const& chosen, parameters const& of_object,
                                              naming_sources const& sources) {
  auto all = merged(chosen.parameters, of_object);
  refusals refused;
  for (auto key : driver.templated_parameters) {
    auto found = all.find(std::string(key));
    if (found == all.end() || found->second.empty()) continue;
    auto value = resolved(found->second, sources);
    if (value)
      found->second = std::move(*value);
    else
      refused.emplace(found->first, value.error());
  }
  if (!refused.empty()) return std::unexpected(std::move(refused));
  return all;
}

}  // namespace kopiur::buckety
