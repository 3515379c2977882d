#include "services/systems/kopiur/progress.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "proto/kinds.hpp"

namespace kopiur::plans {

namespace {

json::value fragment(auto const& shown) { return json::object{{"progress", json::encode(shown)}}; }

bool moves_files(proto::kopia_progress const& progress) { return progress.phase == "hashing" || progress.phase == "restoring"; }

}  // namespace

std::optional<json::value> progress_of(proto::object_ref const& object, json::value const& said, instant now) {
  auto read = json::decode<proto::kopia_progress>(said);
  if (!read || !moves_files(*read)) return {};
  auto& progress = *read;
  auto percent = progress.percent ? std::optional(static_cast<int>(std::clamp(*progress.percent, 0.0, 100.0))) : std::nullopt;
  if (object.kind == proto::restore::info.kind)
    return fragment(
        proto::restore_progress{.bytes_restored = progress.bytes_hashed, .files_restored = progress.files_processed, .percent = percent});
  if (object.kind != proto::backup::info.kind) return {};
  return fragment(proto::backup_progress{.percent = percent,
                                         .bytes_hashed = progress.bytes_hashed,
                                         .bytes_uploaded = progress.bytes_uploaded,
                                         .files_processed = progress.files_processed,
                                         .updated_at = std::chrono::floor<std::chrono::seconds>(now)});
}

}  // namespace kopiur::plans
