#include "services/systems/buckety/rules/provenance.hpp"

namespace kopiur::buckety {

std::expected<first_step, std::string> first_step_for(inspection const& found, adoption policy, std::string const& resource_name) {
  if (!found.exists) return first_step::Create;
  if (found.empty || policy == adoption::Adopt) return first_step::Adopt;
  return std::unexpected(resource_name +
                         " exists already and is not empty. Choose another spec.name, or set spec.adoption to Adopt to use it with its "
                         "content; it is never deleted then.");
}

std::optional<provenance> provenance_after(first_step step, create_result result) {
  if (step == first_step::Adopt) return provenance::Adopted;
  return result == create_result::Made ? std::optional(provenance::Created) : std::nullopt;
}

}  // namespace kopiur::buckety
