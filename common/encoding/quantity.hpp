#pragma once
#include <string_view>

namespace kopiur::encoding {

/// A quantity of Kubernetes as a number of bytes: `1.5Gi`, `20M`, `1048576`, `128e9`; 2^63 at most. What is none, or negative, is 0.
double bytes_of(std::string_view quantity);

}  // namespace kopiur::encoding
