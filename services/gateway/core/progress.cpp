#include "services/gateway/core/progress.hpp"

#include "proto/codec.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::gateway {

namespace {

constexpr duration pause = std::chrono::seconds(30);

std::optional<json::value> status_of(proto::object_ref const& object, json::value const& progress, instant now) {
  for (auto* system : systems())
    if (auto status = system->progress_of(object, progress, now)) return status;
  return {};
}

}  // namespace

void progress_book::know(json::value const& job) {
  auto read = json::decode<proto::job>(job);
  if (!read) return;
  runs_[read->run].serves = std::move(read->serves);
}

void progress_book::forget(std::string const& job) { runs_.erase(job.substr(0, job.rfind('-'))); }

std::vector<progress_book::update> progress_book::take(std::string const& run, json::value const& progress, instant now) {
  std::vector<update> due;
  auto found = runs_.find(run);
  if (found == runs_.end()) return due;
  auto& [serves, told] = found->second;
  if (now - told < pause && now >= told) return due;
  for (auto& each : serves)
    if (auto status = status_of(each, progress, now)) due.push_back({each, std::move(*status)});
  if (!due.empty()) told = now;
  return due;
}

}  // namespace kopiur::gateway
