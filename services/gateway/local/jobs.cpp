#include "services/gateway/local/jobs.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/kopiur/mover_folder.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;
using proto::answer_code;

namespace {

constexpr duration deletion_kept = 7 * 24h, sweep_period = 10min;

/// Removes the mark of a deleted Job when it is old. Commands are sent again for minutes, so a week is more than enough.
void sweep_mark(job_folder const& folder) {
  std::error_code unknown;
  auto age = fs::file_time_type::clock::now() - fs::last_write_time(folder.file_of("deleted"), unknown);
  if (!unknown && age > deletion_kept) fs::remove_all(folder.path(), unknown);
}

}  // namespace

jobs::jobs(job_context context) : in_(std::move(context)), tasks_(in_.loop), removed_(in_.loop) {
  files::make_folder(in_.data / "jobs", 0700);
  std::vector<std::string> names;
  for (auto const& entry : fs::directory_iterator(in_.data / "jobs")) names.push_back(entry.path().filename().string());
  for (auto const& name : names) take_up(name);
  in_.secrets.own();
  sweep();
}

// What ended processes left: marks of deleted Jobs, secrets and private folders of movers that were killed.
void jobs::sweep() {
  std::vector<std::string> live;
  for (auto const& [name, job] : jobs_)
    if (!job->has_ended()) live.push_back(name);
  in_.secrets.sweep(live);
  in_.secrets.sweep_others();
  for (auto const& parent : folders_of_movers()) files::sweep_unlocked(parent, proto::mover_folder_prefix);
  std::vector<std::string> others;
  for (auto const& entry : fs::directory_iterator(in_.data / "jobs"))
    if (auto name = entry.path().filename().string(); !jobs_.contains(name)) others.push_back(std::move(name));
  for (auto const& name : others)
    if (auto folder = folder_of(name); folder.is_deleted()) sweep_mark(folder);
}

awaitable<void> jobs::keep_clean() {
  for (;;) {
    co_await in_.time.sleep_for(sweep_period);
    try {
      sweep();
    } catch (std::system_error const& failed) {
      in_.report(std::string("What ended movers left cannot be removed at the moment: ") + failed.what() + ".");
    }
  }
}

local_job& jobs::keep(job_folder folder, proto::create_job spec, job_record record) {
  auto job = std::make_unique<local_job>(in_, std::move(folder), std::move(spec), std::move(record));
  auto name = job->name();
  return *jobs_.emplace(std::move(name), std::move(job)).first->second;
}

void jobs::take_up(std::string const& name) {
  auto folder = folder_of(name);
  if (name.starts_with(".")) {  // it was being created, and was never reported
    fs::remove_all(folder.path());
    return;
  }
  if (folder.is_deleted()) return;
  auto spec = folder.spec();
  auto record = folder.record();
  if (!spec || !record) {
    return in_.report("The folder " + folder.path().string() +
                      " is not a Job (spec.json or record.json cannot be read): it is left alone.");
  }
  auto& job = keep(folder, std::move(*spec), std::move(*record));
  if (job.has_ended()) return;
  job.take_up();
  tasks_.spawn(follow(job));
}

awaitable<void> jobs::run() {
  tasks_.spawn(keep_clean());  // never ends, so join() does not return while there is no Job
  co_await tasks_.join();
}

awaitable<void> jobs::follow(local_job& job) {
  co_await job.follow();
  if (job.is_deleted()) drop(job.name());
}

std::vector<cluster_change> jobs::all() const {
  std::vector<cluster_change> changes;
  for (auto const& [_, job] : jobs_) job->list(changes);
  return changes;
}

outcome<std::string> jobs::create(proto::create_job spec) {
  auto name = job_name(spec.run, spec.attempt);
  if (!name) return std::unexpected(name.error());
  if (!std::holds_alternative<proto::kopia_task>(spec.body))
    return refuse(answer_code::Invalid, "Its containers run in pods only: this kind needs a cluster.");
  if (auto there = jobs_.find(*name); there != jobs_.end()) return there->second->uid();
  auto folder = folder_of(*name);
  if (folder.exists()) return refuse(answer_code::Removed, "The Job " + *name + " was removed before; this attempt is not started again.");
  job_record record{.uid = object_store::new_uid(), .version = 0, .created_at = in_.time.now(), .status = {}};
  folder.make(spec, record);
  auto& job = keep(std::move(folder), std::move(spec), record);
  tasks_.spawn(follow(job));
  return job.uid();
}

void jobs::drop(std::string const& name) {
  auto job = std::move(jobs_.extract(name).mapped());
  job->mark_deleted();
  in_.tell(gone_object{proto::ref_to<proto::job>(job->namespace_of(), name, job->uid())});
  removed_.notify();
}

awaitable<outcome<void>> jobs::remove(proto::delete_job command) {
  auto name = job_name(command.run, command.attempt);
  if (!name) co_return std::unexpected(name.error());
  auto there = jobs_.find(*name);
  if (there == jobs_.end()) {
    auto folder = folder_of(*name);
    if (!folder.is_deleted()) folder.mark_deleted();
    co_return outcome<void>();
  }
  if (there->second->has_ended()) {
    drop(*name);
    co_return outcome<void>();
  }
  there->second->stop(stop_deleted);
  for (auto seen = removed_.epoch(); jobs_.contains(*name); seen = removed_.epoch()) co_await removed_.wait(seen);
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::local
