#pragma once
#include <string>
#include <string_view>

#include "common/bus/port.hpp"

namespace kopiur::proto {

/// CloudEvents 1.0 attributes as headers (`ce-*`): who said what, when. `source` is the service, `id` unique within it.
bus::headers envelope(std::string_view type, std::string_view source, std::string_view id, instant at);

/// Header of a fact that concerns one run beside what its body says (leases).
inline constexpr char const* subject_run = "kopiur-run";

}  // namespace kopiur::proto
