#pragma once
#include <boost/mp11/list.hpp>

#include "proto/kinds/backup.hpp"
#include "proto/kinds/backup_config.hpp"
#include "proto/kinds/backup_schedule.hpp"
#include "proto/kinds/core.hpp"
#include "proto/kinds/maintenance.hpp"
#include "proto/kinds/names.hpp"
#include "proto/kinds/repository.hpp"
#include "proto/kinds/restore.hpp"

/// Every kind; the lists are what generators and readers walk.
namespace kopiur::proto {

/// The API group kopiur.home-operations.com/v1alpha1.
using kopiur_kinds = boost::mp11::mp_list<repository, cluster_repository, backup_config, backup, backup_schedule, restore, maintenance>;
/// What the local adapter reads besides.
using core_kinds = boost::mp11::mp_list<persistent_volume, persistent_volume_claim, secret, config_map, core_namespace>;

}  // namespace kopiur::proto
