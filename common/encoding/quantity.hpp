#pragma once
#include <string_view>

namespace kopiur::encoding {

/// A Kubernetes quantity as a number of bytes: `1.5Gi`, `20M`, `1048576`, `128e9`; 2^63 at most. 0 for invalid or negative text.
double bytes_of(std::string_view quantity);

}  // namespace kopiur::encoding
