#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::proto {

/// A Secret or ServiceAccount that an object names.
struct reference {
  std::string field;                      ///< where its name stands: `spec.encryption.passwordSecretRef.name`
  std::string kind, name;                 ///< `Secret`, `password`
  std::optional<std::string> namespace_;  ///< as given beside the name; none: that of the object
  bool operator==(reference const&) const = default;
};

/// Every reference in the spec of an object of that kind, in the order of the schema: fields whose limits have `names_kind`
/// (proto/schema/notes.hpp). What does not have the shape of the schema is passed over; a kind that is not ours has none.
std::vector<reference> references(std::string_view kind, json::value const& object);

}  // namespace kopiur::proto
