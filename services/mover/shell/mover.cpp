#include "services/mover/shell/mover.hpp"

#include <boost/asio.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "services/mover/core/check.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? std::string() : found->second;
}

// Shared with the signal handler: the running kopia, or a stop request for the next one; and the last output after it has ended.
struct control {
  kopia* running = nullptr;
  bool stop = false;
  std::vector<std::string> last_words;
};

given look_around(start const& start, std::string const& secrets) {
  given from{start.variables, {}};
  std::error_code none;
  if (!secrets.empty())
    for (auto const& each : std::filesystem::directory_iterator(secrets, none)) from.secret_files.insert(each.path().filename());
  return from;
}

std::string find_kopia(environment const& variables) {
  auto named = variable(variables, "KOPIUR_KOPIA");
  auto found = process::find_program(named.empty() ? "kopia" : named, variable(variables, "PATH"));
  if (!found) throw failed_run(proto::kopia_failure::KopiaMissing);
  return *found;
}

awaitable<std::string> tested_version(kopia& program) {
  auto said = co_await program.run(version_command(), {.opens = false});
  auto version = version_in(said.out + said.err);
  if (!version || !is_tested(*version))
    throw failed_run(proto::kopia_failure::KopiaUnsupported, "It says it is " + version.value_or("no version") + ".");
  co_return *version;
}

void place_secrets(session const& run) {
  if (!run.connection.token.empty()) write_private_file(run.paths.token_file(), run.connection.token);
  if (run.connection.copies_rclone_config)
    write_private_file(run.paths.rclone_file(), read_file(run.work.repository->secrets + "/rcloneConfig").value_or(""));
}

// Runs every kopia command of the work; an exception ends the run.
awaitable<void> work_on(proto::kopia_task const& work, start const& start, kopia& program, clock& time, proto::kopia_result& result) {
  auto from = look_around(start, work.repository->secrets);
  if (variable(from.variables, "KOPIA_PASSWORD").empty())
    throw failed_run(proto::kopia_failure::PasswordMissing, "No password was given, or it is empty.");
  auto probe = connection_to(work.repository, from, {});
  if (!probe) throw failed_run(probe.error());
  private_folder folder(start.variables, probe->keys_in_config);
  run_paths paths{folder.path()};
  reporter out(time);
  session run{work, from, paths, *connection_to(work.repository, from, paths), program, out, result};
  program.set_environment(kopia_environment(run.connection, from, paths));
  co_await tested_version(program);
  prepare_cache(paths, work.repository->cache_directory, work.repository->unique_ID);
  place_secrets(run);
  co_await std::visit([&](auto const& task) { return perform(run, task); }, work.task);
}

awaitable<void> attempt(start const& start, control& told, clock& time, proto::kopia_result& result) {
  auto text = read_file(start.work_file);
  if (!text) throw failed_run(proto::kopia_failure::InvalidWork, start.work_file + " cannot be read.");
  auto work = read_work(*text);
  if (!work) throw failed_run(work.error());
  result.run = work->run;
  result.attempt = work->attempt;
  kopia program(co_await asio::this_coro::executor, time, find_kopia(start.variables), start.grace);
  struct attached {
    mover::control& control;
    ~attached() { control.running = nullptr; }
  } cancellable{told};
  told.running = &program;
  if (told.stop) program.cancel();
  try {
    co_await work_on(*work, start, program, time, result);
  } catch (failed_run const& failed) {
    result.opens = program.opens();
    told.last_words = program.last_words();
    if (program.cancelled()) throw failed_run(failure(proto::kopia_failure::Cancelled, {}, failed.why.stderr_tail));
    throw;
  }
  result.opens = program.opens();
}

awaitable<void> conclude(start const& start, control& told, clock& time, proto::kopia_result& result) {
  result.outcome = proto::outcome::Succeeded;
  try {
    co_await attempt(start, told, time, result);
    co_return;
  } catch (failed_run const& failed) {
    result.failure = failed.why;
  } catch (std::exception const& bug) {
    result.failure = failure(proto::kopia_failure::Unknown, std::string("The mover itself failed: ") + bug.what() + ".");
  }
  result.outcome = proto::outcome::Failed;
  auto secrets = secrets_in(start.variables);
  result.failure->message = redacted(result.failure->message, secrets);
  result.failure->stderr_tail = redacted(result.failure->stderr_tail, secrets);
  for (auto& each : told.last_words) std::fprintf(stderr, "kopia: %s\n", redacted(each, secrets).c_str());
}

awaitable<void> listen(asio::signal_set& signals, control& told) {
  for (;;) {
    co_await signals.async_wait(asio::use_awaitable);
    told.stop = true;
    if (told.running) told.running->cancel();
  }
}

}  // namespace

app::awaitable<int> run(clock& time, start start) {
  ::signal(SIGPIPE, SIG_IGN);  // a reader that closed the pipe causes a write error, not the end of a backup
  asio::signal_set signals(co_await asio::this_coro::executor, SIGTERM, SIGINT, SIGHUP);
  proto::kopia_result result;
  control told;
  co_await app::first_of(conclude(start, told, time, result), listen(signals, told));
  write_result(start.result_file, fitted(result));
  if (result.failure) std::fprintf(stderr, "%s\n", result.failure->message.c_str());
  co_return result.outcome == proto::outcome::Failed ? 1 : 0;
}

app::awaitable<int> check_kopia(clock& time, environment variables) {
  try {
    auto path = find_kopia(variables);
    kopia program(co_await asio::this_coro::executor, time, path, duration(0));
    std::printf("%s, %s\n", (co_await tested_version(program)).c_str(), path.c_str());
    co_return 0;
  } catch (failed_run const& failed) {
    std::fprintf(stderr, "%s\n", failed.why.message.c_str());
    co_return 1;
  }
}

}  // namespace kopiur::mover
