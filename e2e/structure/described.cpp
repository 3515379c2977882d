// Checks once, for each described struct of a header, that no field was left out. check.sh fails if a header describes structs and is not
// included here.
#define KOPIUR_CHECK_DESCRIBED
#include <gtest/gtest.h>

#include "common/process/detached.hpp"
#include "proto/core/failure.hpp"
#include "proto/core/job.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/core/lease.hpp"
#include "proto/core/metadata.hpp"
#include "proto/core/object_ref.hpp"
#include "proto/events/command.hpp"
#include "proto/events/kind_state.hpp"
#include "proto/events/request.hpp"
#include "proto/events/run.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "proto/events/watch.hpp"
#include "proto/kopiur/backend.hpp"
#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/backup_config.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "proto/kopiur/hooks.hpp"
#include "proto/kopiur/kopia_task.hpp"
#include "proto/kopiur/maintenance.hpp"
#include "proto/kopiur/mover_options.hpp"
#include "proto/kopiur/repository.hpp"
#include "proto/kopiur/restore.hpp"
#include "proto/kopiur/shared.hpp"
#include "services/catalog-discovery/core/catalog.hpp"
#include "services/controller/core/slots.hpp"
#include "services/gateway/core/epochs.hpp"
#include "services/gateway/local/job_folder.hpp"
#include "services/gateway/local/manifest_folder.hpp"
#include "services/gateway/shell/options.hpp"
#include "services/retention/core/explain.hpp"
#include "services/scheduler/core/settle.hpp"
#include "services/systems/kopiur/plans/erase.hpp"

namespace {
TEST(Described, EveryFieldOfEachHeadersStructsOrThisDoesNotCompile) {}
}  // namespace
