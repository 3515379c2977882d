#include "services/gateway/core/progress.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "proto/kinds.hpp"

namespace kopiur::gateway {

namespace {

constexpr duration pause = std::chrono::seconds(30);

template <class T>
json::value status_with(T progress) {
  return json::object{{"progress", json::encode(progress)}};
}

json::value status_of(proto::object_ref const& object, proto::work_progress const& said, instant now) {
  auto percent = said.percent ? std::optional(static_cast<int>(std::clamp(*said.percent, 0.0, 100.0))) : std::nullopt;
  if (object.kind == proto::restore::info.kind)
    return status_with(
        proto::restore_progress{.bytes_restored = said.bytes_hashed, .files_restored = said.files_processed, .percent = percent});
  return status_with(proto::backup_progress{.percent = percent,
                                            .bytes_hashed = said.bytes_hashed,
                                            .bytes_uploaded = said.bytes_uploaded,
                                            .files_processed = said.files_processed,
                                            .updated_at = std::chrono::floor<std::chrono::seconds>(now)});
}

bool moves_on(proto::work_progress const& said) { return said.phase == "hashing" || said.phase == "restoring"; }

}  // namespace

void progress_book::know(json::value const& job) {
  auto read = json::decode<proto::job>(job);
  if (!read) return;
  auto& at = runs_[read->run];
  at.serves.clear();
  for (auto& each : read->serves)
    if (each.kind == proto::backup::info.kind || each.kind == proto::restore::info.kind) at.serves.push_back(std::move(each));
}

void progress_book::forget(std::string const& job) { runs_.erase(job.substr(0, job.rfind('-'))); }

std::vector<progress_book::update> progress_book::take(std::string const& run, proto::work_progress const& said, instant now) {
  std::vector<update> due;
  auto at = runs_.find(run);
  bool early = at != runs_.end() && now - at->second.told < pause && now >= at->second.told;
  if (at == runs_.end() || early || !moves_on(said)) return due;
  at->second.told = now;
  for (auto& each : at->second.serves) due.push_back({each, status_of(each, said, now)});
  return due;
}

}  // namespace kopiur::gateway
