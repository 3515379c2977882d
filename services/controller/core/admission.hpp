#pragma once
#include <string>
#include <vector>

namespace kopiur::controller {

/// A field of a manifest, and a sentence about it.
struct finding {
  std::string field, message;
};

/// What is wrong with a manifest, and what is worth a word to whoever writes it.
struct verdict {
  std::vector<finding> faults, warnings;
};

}  // namespace kopiur::controller
