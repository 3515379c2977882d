#pragma once
#include <map>
#include <string>

/// Numbers by name, as `files=1000`.
using numbers = std::map<std::string, long>;

/// Pairs of runs on one tree: bare kopia (connect and create), then the mover's snapshot of it, in alternating order, each on a copy of the
/// same new repository. `files`, `bytes` (each), `pairs`. Prints a table; returns the exit status.
int bench_pairs(numbers const& how);

/// `rows` synthetic snapshots through the parser of kopia's list, in pieces as a pipe gives them.
int bench_rows(numbers const& how);

/// The walk of names that precedes each snapshot, over `files` empty files, a thousand a folder; the median of three, warm.
int bench_names(numbers const& how);

/// The largest resident set that process `id` (0: this one) has had, in KiB; 0 when it is gone.
long peak_resident_KiB(int id);
