#pragma once
#include <string>

namespace kopiur::bench {

/// Each bench takes the folder of the programs.

/// 100,000 schedules in one scheduler process, of which 60,000 fire in one minute: the time from the beginning of a slot until the server
/// has stored its run. Prints one line of JSON; true when the bar is met.
bool scheduler_lateness(std::string const& programs);

/// `kopiur up` with eighteen objects and nothing to do: its memory and CPU (without nats-server) over 30 s. The time from the program's
/// start on an empty data folder to its first decision (the repository's connect run, in the journal), and on the next start to the end of
/// its listing of existing objects. Prints one line of JSON; true when the bars are met.
bool idle(std::string const& programs);

/// catalog-discovery, alone, with lists of 10,000 and of 50,000 snapshots of other clients: the time until each is asked for as a Backup,
/// until each Backup has its status, and until the next, equal list is processed; its memory above that before the first list, at its
/// peak; the longest that its health page took to answer meanwhile. Prints one line of JSON; true when no time grows more than sixfold and
/// the others stay within their bars.
bool discovery_scale(std::string const& programs);

}  // namespace kopiur::bench
