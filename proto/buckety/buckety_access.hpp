#pragma once
#include <algorithm>

#include "proto/buckety/buckety.hpp"
#include "proto/core/kubernetes.hpp"

/// One consumer's credentials for a Buckety, in one Secret (spec/buckety.md).
namespace kopiur::proto {

struct buckety_access_spec {
  local_ref buckety_ref;
  std::string credentials_secret_name;
  access_role role = access_role::ReadWrite;
  std::map<std::string, std::string> parameters;
};
KOPIUR_DESCRIBE_NOTED(buckety_access_spec, (), (buckety_ref, credentials_secret_name, role, parameters))

struct buckety_access_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<std::string> principal;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(buckety_access_status, (), (observed_generation, principal, conditions))

struct buckety_access {
  static constexpr printer_column columns[]{{"Buckety", "string", ".spec.bucketyRef.name"},
                                            {"Role", "string", ".spec.role"},
                                            {secret::info.kind, "string", ".spec.credentialsSecretName"},
                                            {"Ready", "string", R"(.status.conditions[?(@.type=="Ready")].status)"},
                                            column::age,
                                            column::message};
  static constexpr kind_info info = buckety_kind({.kind = "BucketyAccess",
                                                  .plural = "bucketyaccesses",
                                                  .singular = "bucketyaccess",
                                                  .short_name = "bka",
                                                  .mints_secrets = true,
                                                  .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  buckety_access_spec spec;
  buckety_access_status status;
};
KOPIUR_DESCRIBE_NOTED(buckety_access, (), (api_version, kind, metadata, spec, status))
/// The Buckety that an access belongs to.
inline std::optional<std::string> owner_name(buckety_access const& one) { return one.spec.buckety_ref.name; }
/// Whether the access was made for the `defaultAccess` of this Buckety. A label alone is a user's claim.
inline bool is_implicit_of(buckety_access const& access, buckety const& owner) {
  auto label = access.metadata.labels.find(std::string(label::buckety_implicit));
  return label != access.metadata.labels.end() && label->second == "true" &&
         std::ranges::any_of(access.metadata.owner_references, [&](owner_reference const& one) { return one.uid == owner.metadata.uid; });
}

}  // namespace kopiur::proto
