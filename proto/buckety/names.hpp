#pragma once
#include <string_view>

#include "proto/core/metadata.hpp"

/// The names of the API group buckety.yolean.se besides its fields.
namespace kopiur::proto {

inline constexpr std::string_view buckety_api_version = "buckety.yolean.se/v1alpha1";

/// Completes a kind of this group from its names and columns.
constexpr kind_info buckety_kind(kind_info one) {
  one.api_version = buckety_api_version, one.system = "buckety";
  one.ownership = kind_ownership::Own, one.observes_generation = true;
  return one;
}

namespace finalizer {
/// On a Buckety and a BucketyAccess: blocks deletion until what the provisioner made for it is handled.
inline constexpr std::string_view buckety_cleanup = "buckety.yolean.se/cleanup";
}  // namespace finalizer

namespace label {
/// `"true"` on the access that the provisioner made for a `defaultAccess`. It counts only with an owner reference to that Buckety.
inline constexpr std::string_view buckety_implicit = "buckety.yolean.se/implicit";
/// `"true"` on every minted Secret.
inline constexpr std::string_view buckety_owned = "buckety.yolean.se/owned";
}  // namespace label

}  // namespace kopiur::proto
