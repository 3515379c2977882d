#include "services/gateway/local/jobs.hpp"

#include <boost/asio.hpp>
#include <csignal>

#include "proto/codec.hpp"
#include "services/gateway/local/job_start.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;
using proto::answer_code;
using proto::job_phase;

namespace {

constexpr std::uint64_t output_limit = 256 << 20;
constexpr duration look_again = 500ms, look_soon = 50ms, rows_kept = 1h, deletion_kept = 7 * 24h;

awaitable<void> never_end() {
  asio::steady_timer never(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
  co_await never.async_wait(asio::use_awaitable);
}

bool has_ended(proto::job_status const& status) { return status.phase == job_phase::Finished || status.phase == job_phase::Lost; }

}  // namespace

struct jobs::entry {
  entry(asio::any_io_executor loop, job_folder home, proto::create_job order, job_record known)
      : folder(std::move(home)), spec(std::move(order)), record(std::move(known)), log(folder), woken(loop), exit(loop) {}

  std::string name() const { return folder.path().filename().string(); }

  job_folder folder;
  proto::create_job spec;
  job_record record;
  job_log log;
  std::unique_ptr<job_output> output;
  std::int64_t pages = 0;
  std::vector<std::string> secret_values;
  std::optional<process_identity> process;
  std::optional<stop_record> stopping;
  bool terminated = false;  // SIGTERM was sent since this gateway started
  std::string ending;       // how it ended
  app::event woken;
  asio::posix::stream_descriptor exit;  // readable when the mover has ended; closed when that is not known
};

jobs::jobs(ports ports, fs::path data, mover_settings settings)
    : ports_(std::move(ports)),
      data_(std::move(data)),
      settings_(std::move(settings)),
      secrets_(data_),
      tasks_(ports_.loop),
      removed_(ports_.loop) {
  make_folder(data_ / "jobs", 0700);
  std::vector<std::string> names, live;
  for (auto const& entry : fs::directory_iterator(data_ / "jobs")) names.push_back(entry.path().filename().string());
  for (auto const& name : names) take_up(name);
  for (auto const& [name, job] : jobs_)
    if (!has_ended(job->record.status)) live.push_back(name);
  secrets_.sweep(live);
}

jobs::~jobs() = default;

void jobs::take_up(std::string const& name) {
  job_folder folder(data_ / "jobs" / name);
  if (name.starts_with(".")) {  // it was being created, and was never reported
    fs::remove_all(folder.path());
    return;
  }
  if (folder.is_deleted()) {
    auto age = fs::file_time_type::clock::now() - fs::last_write_time(folder.file_of("deleted"));
    if (age > deletion_kept) fs::remove_all(folder.path());
    return;
  }
  auto spec = folder.spec();
  auto record = folder.record();
  if (!spec || !record) {
    return ports_.report("The folder " + folder.path().string() +
                         " is not a Job (spec.json or record.json cannot be read): it is left alone.");
  }
  auto& job = *jobs_.emplace(name, std::make_unique<entry>(ports_.loop, folder, std::move(*spec), std::move(*record))).first->second;
  if (has_ended(job.record.status)) return;
  job.stopping = folder.stopping();
  job.process = folder.process();
  if (!job.process && folder.may_have_started() && !is_free(folder.file_of("lock"))) {
    job.process = find_by_argument(folder.file_of("work.json").string());
    if (job.process) folder.keep(*job.process);
  }
  if (auto resolved = resolve_secrets(ports_.store.all(), job.spec)) job.secret_values = resolved->values;
  tasks_.spawn(follow(job));
}

awaitable<void> jobs::run() {
  tasks_.spawn(never_end());  // so that join() does not return while there is no Job
  co_await tasks_.join();
}

void jobs::tell(entry const& job) const {
  ports_.tell(seen_object{job_object(job_of(job.spec, job.record.uid, job.record.status), job.record.version)});
}

void jobs::publish(entry& job, proto::job_status status) {
  if (json::encode(status) == json::encode(job.record.status) && job.record.version > 0) return;
  job.record.status = std::move(status);
  job.record.version = ports_.store.next_version();
  job.folder.keep(job.record);
  tell(job);
}

std::vector<cluster_change> jobs::all() const {
  std::vector<cluster_change> changes;
  for (auto const& [name, job] : jobs_) {
    auto const& status = job->record.status;
    if (status.row_pages > 0 && status.finished_at && ports_.time.now() - *status.finished_at < rows_kept) {
      std::int64_t page = 0;
      job_output again(job->folder, {[](auto const&) {},
                                     [&, run = job->spec.run, attempt = job->spec.attempt](proto::row_page rows) {
                                       changes.push_back(job_rows{run, attempt, ++page, std::move(rows)});
                                     }});
      while (again.read_on()) {
      }
      again.finish();
    }
    changes.push_back(seen_object{job_object(job_of(job->spec, job->record.uid, status), job->record.version)});
  }
  return changes;
}

outcome<std::string> jobs::create(proto::create_job spec) {
  auto name = job_name(spec.run, spec.attempt);
  if (!name) return std::unexpected(name.error());
  if (auto there = jobs_.find(*name); there != jobs_.end()) return there->second->record.uid;
  job_folder folder(data_ / "jobs" / *name);
  if (folder.exists()) return refuse(answer_code::Removed, "The Job " + *name + " was removed before; this attempt is not started again.");
  job_record record{.uid = object_store::new_uid(), .version = 0, .created_at = ports_.time.now(), .status = {}};
  folder.make(spec, record);
  auto& job = *jobs_.emplace(*name, std::make_unique<entry>(ports_.loop, folder, std::move(spec), record)).first->second;
  tasks_.spawn(follow(job));
  return record.uid;
}

// One attempt to start the mover. A missing dependency is reported as the reason of waiting, as a kubelet does.
void jobs::begin(entry& job) {
  auto wait = [&](not_yet why) {
    auto status = job.record.status;
    status.reason = std::move(why.reason), status.message = std::move(why.message);
    publish(job, std::move(status));
  };
  auto ready = prepare_mover({ports_.store.all(), secrets_, settings_, data_}, job.folder, job.spec);
  if (!ready) return wait(std::move(ready.error()));
  job.secret_values = std::move(ready->secret_values);
  job.folder.mark_starting();
  try {
    job.process = start_mover(ready->start);
  } catch (std::system_error const& failed) {
    job.folder.unmark_starting();
    return wait({"CannotStart", std::string(failed.what()) + ": install kopiur-mover beside kopiur, or name it in the settings."});
  }
  job.folder.keep(*job.process);
  auto status = job.record.status;
  status.phase = job_phase::Running, status.started_at = ports_.time.now();
  status.reason.clear(), status.message.clear();
  publish(job, std::move(status));
}

bool jobs::is_over(entry& job) const {
  if (!job.folder.may_have_started()) return job.stopping.has_value();
  if (job.process && job.ending.empty()) job.ending = reap(*job.process).value_or("");
  if (job.process && is_alive(*job.process)) return false;
  auto left = job.process ? session_of(*job.process) : std::vector<pid_t>{};
  for (auto pid : left) ::kill(pid, SIGKILL);  // processes that the mover left behind
  return left.empty() && is_free(job.folder.file_of("lock"));
}

void jobs::stop(entry& job, std::string_view reason) {
  if (!job.stopping || reason == stop_deleted) {
    job.stopping = stop_record{std::string(reason), ports_.time.now()};
    job.folder.keep(*job.stopping);
  }
  job.woken.notify();
}

void jobs::enforce(entry& job) {
  auto now = ports_.time.now();
  if (!job.stopping && now - job.record.created_at > std::chrono::seconds(job.spec.deadline_seconds)) stop(job, stop_deadline);
  if (!job.stopping && job.output && job.output->bytes() > output_limit) stop(job, stop_output);
  if (!job.stopping || !job.process) return;
  if (!std::exchange(job.terminated, true)) send_signal(*job.process, SIGTERM);
  if (now - job.stopping->since < settings_.grace) return;
  for (auto pid : session_of(*job.process)) ::kill(pid, SIGKILL);
}

awaitable<void> jobs::pause(entry& job) {
  auto seen = job.woken.epoch();
  if (!job.exit.is_open() && job.process)
    if (auto handle = watch_exit(*job.process)) job.exit.assign(::dup(handle.number()));
  auto wait_exit = [](entry& job) -> awaitable<void> {
    co_await job.exit.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    job.exit.close();
  };
  if (!job.exit.is_open()) {
    co_await app::first_of(job.woken.wait(seen), ports_.time.sleep_for(job.process ? look_soon : look_again));
  } else {
    co_await app::first_of(wait_exit(job), app::first_of(job.woken.wait(seen), ports_.time.sleep_for(look_again)));
  }
}

awaitable<void> jobs::read_all(entry& job) {
  while (job.output->read_on()) co_await asio::post(ports_.loop, asio::use_awaitable);
}

// A full disk must not end the gateway: after a pause the Job is observed again, from the state in its folder.
awaitable<void> jobs::follow(entry& job) {
  for (;;) {
    std::string failed;
    try {
      co_await follow_once(job);
      co_return;
    } catch (std::system_error const& e) {
      failed = e.what();
    }
    ports_.report("The Job " + job.name() + " cannot be followed at the moment: " + failed + ".");
    co_await ports_.time.sleep_for(5s);
  }
}

awaitable<void> jobs::follow_once(entry& job) {
  job.pages = 0;
  if (job.record.version == 0) publish(job, job.record.status);
  job.output = std::make_unique<job_output>(
      job.folder, job_output::sinks{[this, &job](auto const& said) { ports_.tell(job_progress{job.spec.run, said}); },
                                    [this, &job](proto::row_page rows) {
                                      ports_.tell(job_rows{job.spec.run, job.spec.attempt, ++job.pages, std::move(rows)});
                                    }});
  while (!is_over(job)) {
    if (!job.folder.may_have_started()) begin(job);
    co_await read_all(job);
    enforce(job);
    co_await pause(job);
  }
  co_await read_all(job);
  job.output->finish();
  finish(job);
}

void jobs::finish(entry& job) {
  auto name = job.name();
  secrets_.remove(name);
  if (job.stopping && job.stopping->reason == stop_deleted) return drop(name);
  auto status =
      ended(job.record.status, job.spec,
            {job.folder.result(), job.stopping ? job.stopping->reason : "", job.ending, job.folder.may_have_started()}, ports_.time.now());
  status.row_pages = job.pages;
  status.log_tail = job.log.tail(job.secret_values);
  publish(job, std::move(status));
}

void jobs::drop(std::string const& name) {
  auto job = jobs_.extract(name);
  job.mapped()->folder.mark_deleted();
  ports_.tell(gone_object{{"Job", job.mapped()->spec.namespace_, name, job.mapped()->record.uid}});
  removed_.notify();
}

awaitable<outcome<void>> jobs::remove(proto::delete_job command) {
  auto name = job_name(command.run, command.attempt);
  if (!name) co_return std::unexpected(name.error());
  auto there = jobs_.find(*name);
  if (there == jobs_.end()) {
    job_folder folder(data_ / "jobs" / *name);
    if (!folder.is_deleted()) folder.mark_deleted();
    co_return outcome<void>();
  }
  if (has_ended(there->second->record.status)) {
    drop(*name);
    co_return outcome<void>();
  }
  stop(*there->second, stop_deleted);
  for (auto seen = removed_.epoch(); jobs_.contains(*name); seen = removed_.epoch()) co_await removed_.wait(seen);
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::local
