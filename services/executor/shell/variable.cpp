#include <boost/asio.hpp>

#include "common/encoding/text.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? "" : std::string(encoding::trimmed(found->second));
}

}  // namespace kopiur::executor
