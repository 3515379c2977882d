#include "services/gateway/core/jobs.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

using proto::answer_code;

namespace {

// Replaces {{name}}. The error is a name that has no folder.
std::expected<std::string, std::string> replaced(std::string_view text, std::map<std::string, std::string> const& folders) {
  std::string out;
  for (;;) {
    auto open = text.find("{{");
    out += text.substr(0, open);
    if (open == text.npos) return out;
    auto close = text.find("}}", open);
    auto name = std::string(text.substr(open + 2, close == text.npos ? close : close - open - 2));
    auto folder = folders.find(name);
    if (close == text.npos || folder == folders.end()) return std::unexpected(name);
    out += folder->second;
    text.remove_prefix(close + 2);
  }
}

std::vector<std::string*> paths_of(proto::work& work) {
  std::vector<std::string*> paths{&work.repository.mount, &work.repository.cache_directory, &work.repository.secrets};
  if (auto* backend = std::get_if<proto::filesystem_backend>(&work.repository.backend)) paths.push_back(&backend->path);
  if (auto* task = std::get_if<proto::snapshot_work>(&work.task)) paths.push_back(&task->path);
  if (auto* task = std::get_if<proto::restore_work>(&work.task)) paths.push_back(&task->target);
  return paths;
}

}  // namespace

outcome<std::string> job_name(std::string const& run, int attempt) {
  if (!is_object_name(run) || attempt < 1)
    return refuse(answer_code::Invalid, "A Job is named by its run and attempt; \"" + run + "\", attempt " + std::to_string(attempt) +
                                            ", is not valid: a run's id holds lower-case letters, digits, \"-\" and \".\".");
  auto name = run + "-" + std::to_string(attempt);
  if (name.size() > 200) return refuse(answer_code::Invalid, "The run's id is longer than a file name may be: \"" + run + "\".");
  return name;
}

outcome<proto::work> with_paths(proto::work work, std::map<std::string, std::string> const& folders) {
  for (auto* path : paths_of(work)) {
    auto real = replaced(*path, folders);
    if (!real)
      return refuse(answer_code::Invalid,
                    "The work names {{" + real.error() + "}} in the path \"" + *path + "\", but the command brings no such volume.");
    *path = std::move(*real);
  }
  return work;
}

std::string cache_key(proto::repository_access const& repository) {
  if (repository.unique_ID) return hash::digest_hex({"unique-id", *repository.unique_ID}, 32);
  return hash::digest_hex({"location", json::write(repository.backend), repository.mount}, 32);
}

proto::job job_of(proto::create_job const& spec, std::string uid, proto::job_status status) {
  return {.run = spec.run,
          .attempt = spec.attempt,
          .namespace_ = spec.namespace_,
          .uid = std::move(uid),
          .serves = spec.serves,
          .leases = spec.leases,
          .status = std::move(status)};
}

json::value job_object(proto::job const& job, std::int64_t version) {
  auto name = job.run + "-" + std::to_string(job.attempt);
  auto metadata = json::value(json::object{{"name", name},
                                           {"namespace", job.namespace_},
                                           {"uid", job.uid},
                                           {"resourceVersion", std::to_string(version)},
                                           {"labels", json::object{{ours("run"), job.run}}}});
  auto object = json::value(json::object{{"apiVersion", ours("v1alpha1")}, {"kind", "Job"}, {"metadata", std::move(metadata)}});
  auto encoded = json::encode(job);
  for (auto& [member, content] : *encoded.as_object()) object.set(member, std::move(content));
  return object;
}

namespace {

std::string why_lost(job_end const& end) {
  if (end.stopped == stop_deadline) return "The mover was stopped at its deadline.";
  if (end.stopped == stop_output) return "The mover was stopped: it printed more than a mover may print.";
  auto ending = end.ending.empty() ? std::string(".") : " (" + end.ending + ").";
  if (!end.started) return "The mover was never started" + ending;
  if (end.ending == "signal 9") return "The mover was killed (signal 9), by another program or because the machine ran out of memory.";
  return "The mover ended without a result" + ending;
}

}  // namespace

proto::job_status ended(proto::job_status status, proto::create_job const& spec, job_end const& end, instant now) {
  auto const& result = end.result;
  bool ours = result && result->run == spec.run && result->attempt == spec.attempt;
  bool told_to_stop = ours && result->failure && result->failure->class_ == proto::failure_class::Cancelled;
  bool stopped_by_us = end.stopped == stop_deadline || end.stopped == stop_output;
  status.pods_gone = true;
  status.finished_at = now;
  status.reason.clear(), status.message.clear(), status.result.reset();
  if (ours && !(told_to_stop && stopped_by_us)) {
    status.phase = proto::job_phase::Finished;
    status.result = result;
    return status;
  }
  status.phase = proto::job_phase::Lost;
  status.reason = end.stopped.empty() ? "MoverLost" : end.stopped;
  status.message = why_lost(end);
  return status;
}

std::optional<proto::row_page> row_pager::add(proto::snapshot_row row) {
  auto bytes = json::write(proto::output_line(row)).size() + 1;
  std::optional<proto::row_page> full;
  if (page_.rows.size() == max_rows || (!page_.rows.empty() && bytes_ + bytes > max_bytes)) full = finish();
  page_.rows.push_back(std::move(row));
  bytes_ += bytes;
  return full;
}

std::optional<proto::row_page> row_pager::finish() {
  if (page_.rows.empty()) return std::nullopt;
  bytes_ = 0;
  return std::exchange(page_, {});
}

std::string masked(std::string text, std::vector<std::string> const& secrets) {
  auto longest_first = secrets;
  std::ranges::sort(longest_first, std::greater<>(), &std::string::size);
  for (auto const& secret : longest_first) {
    if (secret.size() < 4) continue;
    for (auto index = text.find(secret); index != text.npos; index = text.find(secret, index + 3))
      text.replace(index, secret.size(), "***");
  }
  return text;
}

std::string tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  text.remove_prefix(text.size() - limit);
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0) == 0x80) text.remove_prefix(1);
  return std::string(text);
}

}  // namespace kopiur::gateway
