#include "services/systems/buckety/rules/driver_versions.hpp"

namespace kopiur::buckety {
namespace {

constexpr auto s3 = parse_version(KOPIUR_BUCKETY_DRIVER_VERSION_S3), kadm = parse_version(KOPIUR_BUCKETY_DRIVER_VERSION_KADM);
static_assert(s3, "KOPIUR_BUCKETY_DRIVER_VERSION_S3 must be a version such as 0.1.0");
static_assert(kadm, "KOPIUR_BUCKETY_DRIVER_VERSION_KADM must be a version such as 0.1.0");

}  // namespace

// All in this file: a linker that takes one of them takes it whole.
constinit semver const version_of_s3 = *s3, version_of_kadm = *kadm;

}  // namespace kopiur::buckety
