#pragma once
#include <map>
#include <string>

/// Numbers by name, as in `files=1000`.
using numbers = std::map<std::string, long>;

/// Pairs of runs on one tree: bare kopia (connect and create), then the mover's snapshot of it, in alternating order, each on a copy of the
/// same new repository. `files`, `bytes` (each), `pairs`. Prints a table; returns the exit status.
int bench_pairs(numbers const& numbers);

/// `rows` synthetic snapshots through the parser of kopia's list, in pieces as from a pipe.
int bench_rows(numbers const& numbers);

/// The walk of names that precedes each snapshot, over `files` empty files, a thousand per folder; the median of three, warm.
int bench_names(numbers const& numbers);

/// The largest resident set of process `id` (0: this one) so far, in KiB; 0 when it no longer exists.
long peak_resident_KiB(int id);
