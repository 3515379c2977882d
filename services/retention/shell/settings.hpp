#pragma once
#include "services/retention/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::retention {

/// KOPIUR_FINISHED_KEPT: how many objects of one kind and namespace that record one act each stay once they have succeeded. Anything but a
/// number from 1 throws a std::runtime_error with a sentence.
options options_of(runtime::settings const& settings);

}  // namespace kopiur::retention
