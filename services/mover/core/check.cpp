#include "services/mover/core/check.hpp"

#include <algorithm>
#include <ranges>

#include "common/json/codec.hpp"
#include "proto/snapshot_arguments.hpp"
#include "services/mover/core/failure.hpp"
#include "services/mover/core/manifest.hpp"

namespace kopiur::mover {

namespace {

std::optional<std::string> wrong_path(std::string const& path, std::string_view field) {
  if (!path.starts_with('/')) return std::string(field) + " must be an absolute path.";
  if (path.find('\0') != std::string::npos) return std::string(field) + " holds a zero byte.";
  return std::nullopt;
}

bool is_snapshot_id(std::string const& id) {
  return id.size() == 32 && std::ranges::all_of(id, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::optional<std::string> wrong_id(std::string const& id) {
  if (is_snapshot_id(id)) return std::nullopt;
  return "\"" + id.substr(0, 64) + "\" is not a snapshot id (32 hexadecimal digits).";
}

std::optional<std::string> wrong_source(proto::identity const& source) {
  if (source.username.empty() || source.hostname.empty() || source.source_path.empty())
    return "source must have username, hostname and sourcePath.";
  if (source.username.find_first_of("@:") != std::string::npos || source.hostname.find_first_of("@:") != std::string::npos)
    return "source.username and source.hostname must not hold @ or a colon.";
  return wrong_path(source.source_path, "source.sourcePath");
}

std::optional<std::string> wrong_argument(std::string const& argument) {
  if (proto::is_snapshot_argument(argument)) return std::nullopt;
  return "policy.extraArgs may hold --parallel=, --force-hash=, --log-dir-detail=, --log-entry-detail=, --fail-fast and --no-fail-fast; "
         "not " +
         argument.substr(0, 64) + ".";
}

std::optional<std::string> problem_in(proto::connect_work const&) { return std::nullopt; }
std::optional<std::string> problem_in(proto::list_work const&) { return std::nullopt; }
std::optional<std::string> problem_in(proto::browse_work const& task) { return wrong_id(task.snapshot_ID); }

std::optional<std::string> problem_in(proto::snapshot_work const& task) {
  if (auto wrong = wrong_path(task.path, "snapshot.path")) return wrong;
  if (auto wrong = wrong_source(task.source)) return wrong;
  if (task.start_time.has_value() != task.end_time.has_value()) return "snapshot.startTime and snapshot.endTime go together.";
  if (task.description && task.description->size() > 1024) return "snapshot.description may have 1024 bytes.";
  for (auto const& [key, value] : task.tags) {
    if (key.empty() || key.find(':') != std::string::npos)
      return "A tag's key must not be empty or hold a colon: \"" + key.substr(0, 64) + "\".";
    if (key == run_tag || key == baseline_tag) return "The tag " + key + " is the mover's own.";
  }
  for (auto const& argument : task.policy.extra_args)
    if (auto wrong = wrong_argument(argument)) return wrong;
  return std::nullopt;
}

bool is_below(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  for (auto part : std::views::split(path, '/')) {
    std::string_view name(part.begin(), part.end());
    if (name.empty() || name == "." || name == "..") return false;
  }
  return !path.empty();
}

std::optional<std::string> problem_in(proto::restore_work const& task) {
  if (auto wrong = wrong_id(task.snapshot_ID)) return wrong;
  if (auto wrong = wrong_source(task.source)) return wrong;
  if (task.options.path && !is_below(*task.options.path))
    return "restore.options.path must be relative, without empty parts, `.` and `..`: \"" + task.options.path->substr(0, 64) + "\".";
  if (task.dry_run && task.target.empty()) return std::nullopt;
  if (task.target == "/") return "restore.target must not be the root of the file system.";
  return wrong_path(task.target, "restore.target");
}

std::optional<std::string> problem_in(proto::delete_work const& task) {
  if (task.snapshots.empty()) return "delete names no snapshot.";
  for (auto const& each : task.snapshots) {
    if (auto wrong = wrong_id(each.id)) return wrong;
    if (auto wrong = wrong_source(each.source)) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> problem_in(proto::sweep_work const& task) {
  return task.run.empty() ? std::optional<std::string>("sweep.run must name the run.") : std::nullopt;
}

std::optional<std::string> problem_in(proto::maintain_work const& task) {
  auto sign = task.owner.find('@');
  if (sign == std::string::npos || sign == 0 || sign + 1 == task.owner.size()) return "maintain.owner must be user@host.";
  return std::nullopt;
}

std::optional<std::string> problem_in(proto::kopia_task const& work) {
  if (work.version != proto::kopia_task::current_version)
    return "This mover reads version " + std::to_string(proto::kopia_task::current_version) + " of the work, not " +
           std::to_string(work.version) + ".";
  if (work.run.empty()) return "run must not be empty.";
  if (work.repository->username.empty() || work.repository->hostname.empty())
    return "repository.username and repository.hostname must be given.";
  if (!work.repository->cache_directory.empty())
    if (auto wrong = wrong_path(work.repository->cache_directory, "repository.cacheDirectory")) return wrong;
  return std::visit([](auto const& task) { return problem_in(task); }, work.task);
}

}  // namespace

std::expected<proto::kopia_task, proto::run_failure> read_work(std::string_view text) {
  auto read = json::read<proto::kopia_task>(text);
  if (!read) return std::unexpected(failure(proto::kopia_failure::InvalidWork, read.error().text() + "."));
  if (auto wrong = problem_in(*read)) return std::unexpected(failure(proto::kopia_failure::InvalidWork, *wrong));
  return std::move(*read);
}

std::string fitted(proto::kopia_result result, std::size_t limit) {
  if (result.failure) cut(result.failure->message, 600), cut(result.failure->stderr_tail, 400);
  auto text = json::write(result);
  while (text.size() > limit && !result.remaining.empty()) {
    result.remaining.resize(result.remaining.size() / 2);
    text = json::write(result);
  }
  if (text.size() > limit && result.ownership) result.ownership->examples.clear(), text = json::write(result);
  if (text.size() > limit && result.preview) result.preview->examples.clear(), text = json::write(result);
  if (text.size() > limit && result.snapshot) result.snapshot->description.reset(), text = json::write(result);
  if (text.size() > limit && result.failure)
    cut(result.failure->message, 200), cut(result.failure->stderr_tail, 100), text = json::write(result);
  if (text.size() > limit && result.snapshot) cut(result.snapshot->source.source_path, 200), text = json::write(result);
  return text;
}

}  // namespace kopiur::mover
