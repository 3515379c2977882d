#pragma once
#include <expected>
#include <string>

#include "proto/work.hpp"

namespace kopiur::mover {

/// Reads the work, and refuses what must not reach kopia: another version, relative paths, ids that are none, tags that kopia would misread
/// or that are ours, arguments beyond the few that are harmless. The failure is InvalidWork with a sentence that names the field.
std::expected<proto::work, proto::run_failure> read_work(std::string_view text);

/// The result as text of at most `limit` bytes: message, last line, ids and description are cut, in that order of need.
std::string fitted(proto::work_result result, std::size_t limit = 2048);

}  // namespace kopiur::mover
