#pragma once
#include <string_view>

namespace kopiur::mirror {

/// A quantity of Kubernetes as a number of bytes: `1.5Gi`, `20M`, `1048576`. What is none is 0.
double bytes_of(std::string_view quantity);

}  // namespace kopiur::mirror
