#pragma once
#include "proto/events_notes.hpp"
#include "proto/kinds/backup_config_notes.hpp"
#include "proto/kinds/backup_notes.hpp"
#include "proto/kinds/backup_schedule_notes.hpp"
#include "proto/kinds/hooks_notes.hpp"
#include "proto/kinds/maintenance_notes.hpp"
#include "proto/kinds/repository_notes.hpp"
#include "proto/kinds/restore_notes.hpp"
#include "proto/work_notes.hpp"

/// All notes. Whoever builds trees includes this and nothing less: a struct that has notes in one translation unit and none in another
/// would be two different things to the compiler.
