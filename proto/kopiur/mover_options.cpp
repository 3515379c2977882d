#include "proto/kopiur/mover_options.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for mover_options.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<mover_options>) {
  return {.text = "Options of the movers, the pods that run kopia.",
          .fields = {{"resources", "Resource requests and limits, as in a container."},
                     {"cache", "Kopia's cache in these movers."},
                     {"securityContext",
                      "Security context of the container, merged into kopiur's hardened default. Anything beyond the Pod Security Standard "
                      "`restricted` needs this annotation on the namespace: kopiur.home-operations.com/privileged-movers: \"true\"."},
                     {"podSecurityContext",
                      "Security context of the pod, merged into kopiur's hardened default. It has the same limits as securityContext."},
                     {"privilegedMode",
                      "Run as root in a privileged container, to read files of any owner. The namespace must allow it by annotation; see "
                      "securityContext."},
                     {"inheritSecurityContextFrom",
                      "Inherit user and groups from a pod of the workload. While it has no pod, its Deployment or StatefulSet is used."}}};
}

}  // namespace kopiur::proto
