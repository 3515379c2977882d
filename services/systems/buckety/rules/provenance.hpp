#pragma once
#include <expected>
#include <optional>
#include <string>

#include "services/systems/buckety/rules/terms.hpp"

/// How an object comes to its bucket. Created is stamped only after this object's own create call made the bucket: a later deletion then
/// removes nothing that somebody else made under the same name in between.
namespace kopiur::buckety {

/// What the backend answered about the name.
struct inspection {
  bool exists = false;
  bool empty = false;  ///< proven to contain nothing, no older versions either
};

/// What to do with the name, before anything is stamped.
enum class first_step { Create, Adopt };
/// The error is a sentence: the bucket exists, and the object may not have it.
[[nodiscard]] std::expected<first_step, std::string> first_step_for(inspection const& found, adoption policy,
                                                                    std::string const& resource_name);

/// The result of the create call.
enum class create_result { Made, ExistsAlready, Failed };
/// The provenance to stamp after a step; `result` is of Create. Nothing: stamp nothing, and inspect again.
std::optional<provenance> provenance_after(first_step step, create_result result);

}  // namespace kopiur::buckety
