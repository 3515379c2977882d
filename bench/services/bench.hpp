#pragma once
#include <string>

namespace kopiur::bench {

/// Each takes the folder of the programs.

/// 100,000 schedules in one scheduler process, of which 60,000 fire in one minute: from the beginning of a slot to the instant at which the
/// server has stored its run. One line of JSON; true when the bar is met.
bool scheduler_lateness(std::string const& programs);

/// `kopiur up` with eighteen objects and nothing to do: its own memory and CPU (without nats-server) over 30 s; the time from the start of
/// the program, on an empty data folder, to its first decision (the repository's connect run, in the journal), and on the next start to the
/// end of its look at what there is. One line of JSON; true when the bars are met.
bool idle(std::string const& programs);

}  // namespace kopiur::bench
