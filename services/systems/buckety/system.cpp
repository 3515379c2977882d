#include "services/systems/buckety/system.hpp"

#include "services/systems/buckety/admission.hpp"
#include "services/systems/buckety/configuration.hpp"

namespace kopiur {

/// The provisioner reconciles its kinds; there are no runs.
controller::system const buckety_system{.name = "buckety",
                                        .plans = {},
                                        .reconcile = controller::no_part,
                                        .resync = controller::no_part,
                                        .affected_by = controller::no_part,
                                        .judges = buckety::judges,
                                        .judge = buckety::judge,
                                        .configuration_file = "buckety-controller.yaml",
                                        .configure = buckety::configure};

}  // namespace kopiur
