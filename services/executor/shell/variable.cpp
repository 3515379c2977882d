#include <boost/asio.hpp>
#include <cstring>

#include "common/encoding/text.hpp"
#include "services/executor/shell/verbs.hpp"

extern char** environ;

namespace kopiur::executor {

environment own_environment() {
  environment variables;
  for (char** each = environ; *each; ++each)
    if (auto* sign = std::strchr(*each, '=')) variables.emplace(std::string(*each, sign), sign + 1);
  return variables;
}

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? "" : std::string(encoding::trimmed(found->second));
}

}  // namespace kopiur::executor
