#include "services/cli/core/dead_letters.hpp"

#include "proto/subjects.hpp"

namespace kopiur::cli {

std::optional<std::string> why_not_again(std::string_view subject) {
  auto kind = proto::subjects::part(subject, 2);
  if (kind == "cmd" || kind == "req" || kind == "lease-req") return {};
  return std::string(subject) +
         " is a fact, not a request: sending it again would overwrite newer state. It is still in its stream; a service that can read it "
         "takes it from there. Drop the dead letter with: kopiur bus dlq --drop";
}

}  // namespace kopiur::cli
