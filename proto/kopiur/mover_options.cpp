#include "proto/kopiur/mover_options.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for mover_options.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<security_context_source>) {
  return {
      .text = "A pod whose security context the mover takes over.",
      .fields = {{"podSelector", "Which pods; where none matches, nor a workload that makes them, nothing is started, and that is told."}}};
}
schema::type_notes notes_of(std::type_identity<mover_options>) {
  return {.text = "How movers run.",
          .fields = {{"resources", "Requests and limits, as of a container."},
                     {"cache", "Kopia's cache of these movers."},
                     {"securityContext",
                      "Security context of the container, merged into the hardened one. What goes beyond the Pod Security Standard "
                      "restricted needs an annotation of the namespace."},
                     {"podSecurityContext", "Security context of the pod, merged into the hardened one. The same limits hold."},
                     {"privilegedMode", "Run as root with what reading foreign files needs; the namespace must allow it by annotation."},
                     {"inheritSecurityContextFrom",
                      "Take user and groups from a pod of the workload, or from its Deployment or StatefulSet while it has none."}}};
}

}  // namespace kopiur::proto
