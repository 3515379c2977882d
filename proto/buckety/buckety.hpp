#pragma once
#include "proto/buckety/names.hpp"
#include "proto/describe.hpp"

/// A named resource on a backing service: a bucket, a topic (spec/buckety.md).
namespace kopiur::proto {

/// What happens to the resource when its Buckety is deleted.
enum class resource_retention { Retain, Delete };
BOOST_DESCRIBE_ENUM(resource_retention, Retain, Delete)

/// Which existing resources a Buckety takes over.
enum class resource_adoption { AdoptEmpty, Adopt };
BOOST_DESCRIBE_ENUM(resource_adoption, AdoptEmpty, Adopt)

/// Who made the resource. Only a created one is ever deleted.
enum class resource_provenance { Created, Adopted };
BOOST_DESCRIBE_ENUM(resource_provenance, Created, Adopted)

/// ReadOnly is another spelling of Reader.
enum class access_role { Reader, ReadOnly, Writer, ReadWrite };
BOOST_DESCRIBE_ENUM(access_role, Reader, ReadOnly, Writer, ReadWrite)

struct default_access {
  access_role role = access_role::ReadWrite;
  std::string credentials_secret_name;
};
KOPIUR_DESCRIBE_NOTED(default_access, (), (role, credentials_secret_name))

struct buckety_spec {
  std::string backend;
  std::optional<std::string> name;  ///< a template; absent: metadata.name
  std::map<std::string, std::string> parameters;
  resource_retention retention_policy = resource_retention::Retain;
  resource_adoption adoption = resource_adoption::AdoptEmpty;
  std::optional<proto::default_access> default_access;
};
KOPIUR_DESCRIBE_NOTED(buckety_spec, (), (backend, name, parameters, retention_policy, adoption, default_access))

/// `backend`, `driver`, `driver_major`, `backend_store`, `backend_resource_name` and `provenance` are stamped once.
struct buckety_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<std::string> backend, driver;
  std::optional<std::int64_t> driver_major;
  std::optional<std::string> driver_build_version, backend_store;
  std::optional<std::string> backend_resource_name;
  std::map<std::string, std::string> connection;  ///< what every Secret of an access has besides credentials, under the same keys
  std::optional<resource_provenance> provenance;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(buckety_status, (),
                      (observed_generation, backend, driver, driver_major, driver_build_version, backend_store, backend_resource_name,
                       connection, provenance, conditions))

struct buckety {
  static constexpr printer_column columns[]{{"Backend", "string", ".status.backend"},
                                            {"Driver", "string", ".status.driver"},
                                            {"Resource", "string", ".status.backendResourceName"},
                                            {"Ready", "string", R"(.status.conditions[?(@.type=="Ready")].status)"},
                                            column::age,
                                            column::message};
  static constexpr kind_info info =
      buckety_kind({.kind = "Buckety", .plural = "bucketies", .singular = "buckety", .short_name = "bky", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  buckety_spec spec;
  buckety_status status;
};
KOPIUR_DESCRIBE_NOTED(buckety, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
