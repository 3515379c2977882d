#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "services/cli/core/findings.hpp"

/// The decisions of `kopiur doctor`, and what both it and `kopiur status` say of a disk. Pure.
namespace kopiur::cli {

/// One line of doctor.
struct check {
  std::string what;
  cli::mood mood = mood::good;
  std::string text;
};
/// `missing`: names of the streams that the bus lacks; `all`: how many there should be.
check streams_check(std::size_t all, std::vector<std::string> const& missing);
/// A stream and the used part of its bytes, in hundredths.
struct used_stream {
  std::string name;
  int percent = 0;
};
/// Names the fullest; bad where no new run begins (proto/budget.hpp).
check budget_check(std::vector<used_stream> streams);
check dead_letters_check(std::size_t count);
/// The bad ones among the findings; all others are for `kopiur status`.
std::vector<check> bad_checks(std::vector<finding> const& findings);

/// doctor fails.
bool any_bad(std::vector<check> const& checks);
table checks_table(std::vector<check> const& checks);
json::value checks_json(std::vector<check> const& checks);

/// The free bytes of a folder's file system: attention below 1 GiB; bad below 64 MiB, where the bus soon accepts no more messages.
finding disk_finding(std::string const& folder, std::int64_t free);

}  // namespace kopiur::cli
