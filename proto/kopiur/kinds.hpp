#pragma once
#include <boost/mp11/list.hpp>

#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/backup_config.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "proto/kopiur/maintenance.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/repository.hpp"
#include "proto/kopiur/restore.hpp"

namespace kopiur::proto {

/// The API group kopiur.home-operations.com/v1alpha1.
using kopiur_kinds = boost::mp11::mp_list<repository, cluster_repository, backup_config, backup, backup_schedule, restore, maintenance>;

}  // namespace kopiur::proto
