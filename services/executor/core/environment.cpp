#include "services/executor/core/environment.hpp"

#include "common/encoding/text.hpp"

namespace kopiur::executor {

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? "" : std::string(encoding::trimmed(found->second));
}

}  // namespace kopiur::executor
