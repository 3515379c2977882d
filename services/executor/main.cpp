#include <cstring>

#include "services/executor/shell/run.hpp"

extern char** environ;

int main(int count, char** arguments) {
  kopiur::executor::environment variables;
  for (char** each = environ; *each; ++each)
    if (auto* sign = std::strchr(*each, '=')) variables.emplace(std::string(*each, sign), sign + 1);
  return kopiur::executor::run(count, arguments, variables);
}
