#pragma once
#include "services/systems/buckety/rules/driver.hpp"
#include "services/systems/buckety/s3/lifecycle.hpp"

/// The parameters of a bucket. One that is absent is not managed: the bucket keeps what it has.
namespace kopiur::buckety::s3 {

/// The parameters as they are written: the keys that exist, for the schema.
struct bucket_parameters {
  std::optional<std::string> versioning, lifecycle, jurisdiction;
};
KOPIUR_DESCRIBE_NOTED(bucket_parameters, (), (versioning, lifecycle, jurisdiction))

/// The state of a bucket that parameters ask for.
struct wanted_bucket {
  std::optional<bool> versioning;
  std::optional<lifecycle_rules> lifecycle;  ///< empty: no rules
  std::optional<std::string> jurisdiction;   ///< the LocationConstraint of a new bucket
};
[[nodiscard]] std::expected<wanted_bucket, refusals> parse_parameters(backend_config const& config, parameters const& wanted);

/// The functions of driver_rules.
refusals validate_parameters(driver_config const& config, parameters const& wanted);
refusals validate_update(driver_config const& config, parameters const& old, parameters const& wanted);

}  // namespace kopiur::buckety::s3
