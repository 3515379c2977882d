#pragma once
#include "proto/describe.hpp"
#include "proto/kopiur/shared.hpp"

namespace kopiur::proto {

/// How movers run: for a BackupConfig or for one Restore.
struct mover_options {
  std::optional<json::value> resources;
  std::optional<cache_options> cache;
  std::optional<json::value> security_context, pod_security_context;
  bool privileged_mode = false;  ///< also needs an annotation on the namespace
  std::optional<security_context_source> inherit_security_context_from;
};
KOPIUR_DESCRIBE_NOTED(mover_options, (),
                      (resources, cache, security_context, pod_security_context, privileged_mode, inherit_security_context_from))

}  // namespace kopiur::proto
