#pragma once
#include "services/systems/buckety/rules/version.hpp"

namespace kopiur::buckety {

/// The versions of this program's drivers. They are a library of their own: a program that links another one has other versions.
extern semver const version_of_s3, version_of_kadm;

}  // namespace kopiur::buckety
