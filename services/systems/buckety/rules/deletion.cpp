#include "services/systems/buckety/rules/deletion.hpp"

namespace kopiur::buckety {

deletion_step deletion_step_for(deleted_object const& object, deletion_evidence const& evidence) {
  if (object.policy != retention_policy::Delete || object.resource_name.empty()) return deletion_step::Release;
  if (object.origin != provenance::Created) return deletion_step::ReleaseAdopted;
  return evidence.confirmed && evidence.lease_held ? deletion_step::Delete : deletion_step::Prove;
}

}  // namespace kopiur::buckety
