#include <boost/asio.hpp>
#include <cstring>

#include "services/executor/shell/verbs.hpp"

extern char** environ;

namespace kopiur::executor {

environment own_environment() {
  environment variables;
  for (char** each = environ; *each; ++each)
    if (auto* sign = std::strchr(*each, '=')) variables.emplace(std::string(*each, sign), sign + 1);
  return variables;
}

}  // namespace kopiur::executor
