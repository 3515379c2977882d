#pragma once
#include "proto/describe.hpp"
#include "proto/kopiur/shared.hpp"

namespace kopiur::proto {

/// A pod of the workload, running or not, or else the template that its pods are made from.
struct security_context_source {
  label_selector pod_selector;
};
KOPIUR_DESCRIBE_NOTED(security_context_source, (), (pod_selector))

/// How movers run: those of a recipe, or of one Restore.
struct mover_options {
  std::optional<json::value> resources;
  std::optional<cache_options> cache;
  std::optional<json::value> security_context, pod_security_context;
  bool privileged_mode = false;  ///< needs the namespace's annotation too
  std::optional<security_context_source> inherit_security_context_from;
};
KOPIUR_DESCRIBE_NOTED(mover_options, (),
                      (resources, cache, security_context, pod_security_context, privileged_mode, inherit_security_context_from))

}  // namespace kopiur::proto
