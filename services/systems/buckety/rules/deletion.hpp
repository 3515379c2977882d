#pragma once
#include <optional>
#include <string>

#include "services/systems/buckety/rules/terms.hpp"

/// When the deletion of an object also deletes its bucket.
namespace kopiur::buckety {

/// The object as it is known.
struct deleted_object {
  retention_policy policy = retention_policy::Retain;
  std::optional<provenance> origin;  ///< as stamped
  std::string resource_name;         ///< as stamped
};
/// What was proven since.
struct deletion_evidence {
  bool confirmed = false;   ///< a live read has the same uid, a deletionTimestamp, and the same deleted_object
  bool lease_held = false;  ///< of the bucket's name on its backend
};

enum class deletion_step {
  Release,         ///< remove the finalizer; the bucket is not touched
  ReleaseAdopted,  ///< the same although the policy is Delete, because the object did not create the bucket (event RetainedOnDelete)
  Prove,           ///< get the missing evidence first
  Delete           ///< delete the bucket, then remove the finalizer
};
/// Deletes only with the policy Delete, a stamped name, provenance Created, and all evidence.
deletion_step deletion_step_for(deleted_object const& object, deletion_evidence const& evidence);

}  // namespace kopiur::buckety
