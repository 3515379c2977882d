#pragma once
#include <string>
#include <vector>

namespace kopiur::controller {

/// A field of a manifest, and a sentence about it.
struct finding {
  std::string field, message;
};

/// The errors of a manifest, and warnings for its author.
struct verdict {
  std::vector<finding> faults, warnings;
};

}  // namespace kopiur::controller
