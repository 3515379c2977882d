#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::proto {

/// A Secret, a ServiceAccount or a Buckety (for its Secret) that an object names.
struct reference {
  std::string field;                      ///< path of the field with the name: `spec.encryption.passwordSecretRef.name`
  std::string kind, name;                 ///< `Secret`, `password`
  std::optional<std::string> namespace_;  ///< as given next to the name; absent: the object's own namespace
  bool operator==(reference const&) const = default;
};

/// All references in the spec of an object of that kind, in the order of the schema: the fields whose limits have `names_kind`
/// (proto/schema/notes.hpp). Values that do not match the schema are skipped; a kind that is not kopiur's has no references.
std::vector<reference> references(std::string_view kind, json::value const& object);

}  // namespace kopiur::proto
