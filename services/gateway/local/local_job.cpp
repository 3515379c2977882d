#include "services/gateway/local/local_job.hpp"

#include <boost/asio.hpp>
#include <csignal>

#include "proto/codec.hpp"
#include "proto/kopiur/longest.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;
using proto::job_phase;

namespace {

constexpr duration look_again = 500ms, look_soon = 50ms, rows_kept = 1h;

}  // namespace

local_job::local_job(job_context& in, job_folder home, proto::create_job order, job_record known)
    : in_(in),
      folder_(std::move(home)),
      spec_(std::move(order)),
      record_(std::move(known)),
      log_(folder_),
      woken_(in.loop),
      exit_(in.loop) {}

bool local_job::has_ended() const { return record_.status.phase == job_phase::Finished || record_.status.phase == job_phase::Lost; }

void local_job::take_up() {
  stopping_ = folder_.stopping();
  process_ = folder_.process();
  if (!process_ && folder_.may_have_started() && !files::is_free(folder_.file_of("lock"))) {
    process_ = process::find_by_argument(fs::absolute(folder_.file_of("work.json")).string());
    if (process_) folder_.keep(*process_);
  }
  if (auto resolved = resolve_secrets(in_.store.all(), spec_)) secret_values_ = resolved->values;
}

cluster_change local_job::change() const { return seen_object{job_object(job_of(spec_, record_.uid, record_.status), record_.version)}; }

void local_job::publish(proto::job_status status) {
  if (json::encode(status) == json::encode(record_.status) && record_.version > 0) return;
  record_.status = std::move(status);
  record_.version = in_.store.next_version();
  folder_.keep(record_);
  in_.tell(change());
}

void local_job::list(std::vector<cluster_change>& changes) const {
  auto const& status = record_.status;
  if (status.row_pages > 0 && status.finished_at && in_.time.now() - *status.finished_at < rows_kept) {
    std::int64_t page = 0;
    job_output again(folder_,
                     {[](auto const&) {},
                      [&](proto::output_page rows) { changes.push_back(job_rows{spec_.run, spec_.attempt, ++page, std::move(rows)}); }},
                     in_.settings.output);
    while (again.read_on()) {
    }
    again.finish();
  }
  changes.push_back(change());
}

// One attempt to start the mover. A missing dependency is reported as the reason of waiting, as a kubelet does.
void local_job::begin() {
  auto wait = [&](not_yet why) {
    auto status = record_.status;
    status.reason = std::move(why.reason), status.message = std::move(why.message);
    publish(std::move(status));
  };
  auto ready = prepare_mover({in_.store.all(), in_.secrets, in_.settings, in_.data}, folder_, spec_);
  if (!ready) return wait(std::move(ready.error()));
  secret_values_ = std::move(ready->secret_values);
  folder_.mark_starting();
  try {
    process_ = process::start_detached(ready->start);
  } catch (std::system_error const& failed) {
    folder_.unmark_starting();
    return wait({"CannotStart", std::string(failed.what()) + ": install kopiur-mover beside kopiur, or name it in the settings."});
  }
  folder_.keep(*process_);
  auto status = record_.status;
  status.phase = job_phase::Running, status.started_at = in_.time.now();
  status.reason.clear(), status.message.clear();
  publish(std::move(status));
}

bool local_job::is_over() {
  if (!folder_.may_have_started()) return stopping_.has_value();
  if (process_ && ending_.empty()) ending_ = process::reap(*process_).value_or("");
  if (process_ && process::is_alive(*process_)) return false;
  auto left = process_ ? process::session_of(*process_) : std::vector<pid_t>{};
  for (auto pid : left) ::kill(pid, SIGKILL);  // processes that the mover left behind
  return left.empty() && files::is_free(folder_.file_of("lock"));
}

void local_job::stop(std::string_view reason) {
  if (!stopping_ || reason == stop_deleted) {
    stopping_ = stop_record{std::string(reason), in_.time.now()};
    folder_.keep(*stopping_);
  }
  woken_.notify();
}

void local_job::enforce() {
  auto now = in_.time.now();
  if (!stopping_ && now - record_.created_at > proto::longest::within(proto::longest::deadline, spec_.deadline_seconds))
    stop(stop_deadline);
  if (!stopping_ && output_ && output_->is_too_large()) stop(stop_output);
  if (!stopping_ || !process_) return;
  if (!std::exchange(terminated_, true)) process::send_signal(*process_, SIGTERM);
  if (now - stopping_->since < in_.settings.grace) return;
  for (auto pid : process::session_of(*process_)) ::kill(pid, SIGKILL);
}

awaitable<void> local_job::pause() {
  auto seen = woken_.epoch();
  if (!exit_.is_open() && process_)
    if (auto handle = process::watch_exit(*process_)) exit_.assign(::dup(handle.number()));
  auto wait_exit = [](local_job& job) -> awaitable<void> {
    co_await job.exit_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    job.exit_.close();
  };
  if (!exit_.is_open()) {
    co_await app::first_of(woken_.wait(seen), in_.time.sleep_for(process_ ? look_soon : look_again));
  } else {
    co_await app::first_of(wait_exit(*this), app::first_of(woken_.wait(seen), in_.time.sleep_for(look_again)));
  }
}

awaitable<void> local_job::read_all() {
  while (output_->read_on()) co_await asio::post(in_.loop, asio::use_awaitable);
}

awaitable<void> local_job::follow() {
  for (;;) {
    std::string failed;
    try {
      co_await follow_once();
      co_return;
    } catch (std::system_error const& e) {
      failed = e.what();
    }
    in_.report("The Job " + name() + " cannot be followed at the moment: " + failed + ".");
    co_await in_.time.sleep_for(5s);
  }
}

awaitable<void> local_job::follow_once() {
  pages_ = 0;
  if (record_.version == 0) publish(record_.status);
  output_ = std::make_unique<job_output>(
      folder_,
      job_output::sinks{[this](auto const& said) { in_.tell(job_progress{spec_.run, said}); },
                        [this](proto::output_page rows) { in_.tell(job_rows{spec_.run, spec_.attempt, ++pages_, std::move(rows)}); }},
      in_.settings.output);
  while (!is_over()) {
    if (!folder_.may_have_started()) begin();
    co_await read_all();
    enforce();
    co_await pause();
  }
  co_await read_all();
  output_->finish();
  finish();
}

void local_job::finish() {
  in_.secrets.remove(name());
  deleted_ = stopping_ && stopping_->reason == stop_deleted;
  if (deleted_) return;
  auto status = ended(
      record_.status, spec_,
      {.said = folder_.result(), .stopped = stopping_ ? stopping_->reason : "", .ending = ending_, .started = folder_.may_have_started()},
      in_.time.now());
  status.row_pages = pages_;
  status.log_tail = log_.tail(secret_values_);
  publish(std::move(status));
}

}  // namespace kopiur::gateway::local
