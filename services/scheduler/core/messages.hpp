#pragma once
#include "services/scheduler/core/state.hpp"

/// Decisions in words, for conditions and events.
namespace kopiur::scheduler {

/// Condition BackupSkipped, Event.
std::string sentence(skipped const&);
std::string sentence(missed const&);
std::string sentence(held_back const&);
std::string sentence(passed const&);

}  // namespace kopiur::scheduler
