#pragma once
#include <string_view>

namespace kopiur::proto {

/// Names of the private folders of movers begin with this. A mover holds a flock on its folder for its lifetime.
inline constexpr std::string_view mover_folder_prefix = "kopiur-mover.";

}  // namespace kopiur::proto
