#include "services/gateway/kubernetes/objects/server_version.hpp"

#include "common/encoding/number.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

constexpr int oldest_major = 1, oldest_minor = 31;

}  // namespace

std::optional<std::string> too_old(json::value const& version) {
  // `31+`, as some vendors write it, means 31.
  auto major = encoding::leading_number<int>(version.text("major")), minor = encoding::leading_number<int>(version.text("minor"));
  if (!major || !minor || std::pair(*major, *minor) >= std::pair(oldest_major, oldest_minor)) return {};
  return "Kubernetes " + std::to_string(*major) + "." + std::to_string(*minor) +
         " says of a Job that it has failed while its pod may still run, so kopiur cannot prove that a mover has ended: upgrade the "
         "cluster "
         "to 1.31 or newer.";
}

}  // namespace kopiur::gateway::kubernetes
