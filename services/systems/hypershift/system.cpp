#include "services/systems/hypershift/system.hpp"

namespace kopiur {

controller::system const hypershift_system{
    .name = "hypershift", .plans = {}, .reconcile = controller::no_part, .resync = controller::no_part, .affected_by = controller::no_part};

}  // namespace kopiur
