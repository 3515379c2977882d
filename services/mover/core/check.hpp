#pragma once
#include <expected>
#include <string>

#include "proto/kopiur/kopia_task.hpp"

namespace kopiur::mover {

/// Parses the work and rejects what must not reach kopia: another version, relative paths, invalid ids, tags that kopia would misread or
/// that are reserved for kopiur, and arguments outside the list of harmless ones. The failure is InvalidWork; its sentence names the field.
std::expected<proto::kopia_task, proto::run_failure> read_work(std::string_view text);

/// The result as text of at most `limit` bytes. Message, last line, ids and description are shortened in this order until it fits.
std::string fitted(proto::kopia_result result, std::size_t limit = 2048);

}  // namespace kopiur::mover
