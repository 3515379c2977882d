#include "services/executor/shell/openbao/run.hpp"

#include <boost/asio.hpp>
#include <csignal>
#include <cstdio>

#include "common/app/system_clock.hpp"
#include "services/executor/shell/openbao/steps.hpp"
#include "services/executor/shell/termination_log.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;

namespace {

awaitable<report> unreadable(std::string why) { co_return report{.code = status::configuration, .message = std::move(why)}; }

awaitable<report> perform(step what, surroundings here) {
  switch (what) {
    case step::restore:
      if (auto read = read_restore(here.variables))
        return restore(here, std::move(*read));
      else
        return unreadable(read.error());
    case step::backup:
      if (auto read = read_backup(here.variables))
        return backup(here, std::move(*read));
      else
        return unreadable(read.error());
    case step::settle:
      break;
  }
  auto read = read_settle(here.variables);
  return read ? settle(here, std::move(*read)) : unreadable(read.error());
}

report ended_by(std::exception_ptr problem) {
  if (app::is_cancelled(problem))
    return {.code = status::configuration, .message = "A signal ended the program before it was done. Nothing was submitted."};
  try {
    std::rethrow_exception(problem);
  } catch (std::exception const& why) {
    std::string text = why.what();
    return {.code = status::configuration, .message = text.ends_with('.') ? text : text + "."};
  }
}

report drive(step what, environment const& variables) {
  asio::io_context loop(1);
  app::system_clock time(loop.get_executor());
  stop_signal stop(loop.get_executor());
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&](boost::system::error_code ec, int) {
    if (!ec) stop.ask();
  });
  report result;
  auto ended = [&](std::exception_ptr problem, report said) {
    result = problem ? ended_by(problem) : std::move(said);
    signals.cancel();
  };
  asio::co_spawn(loop, perform(what, {time, stop, variables}), asio::bind_cancellation_slot(stop.slot(), ended));
  loop.run();
  return result;
}

int tell(report const& what, environment const& variables) {
  auto set = variable(variables, "STATEFULSET_NAME");
  auto line = to_line(what, set.empty() ? variable(variables, "CLUSTER_NAME") : set);
  std::printf("%s\n", line.c_str());
  if (what.code != status::done) std::fprintf(stderr, "%s\n", what.message.c_str());
  write_termination_log(variables, line);
  return static_cast<int>(what.code);
}

}  // namespace

std::expected<step, std::string> step_of(environment const& variables) {
  auto mode = variable(variables, "EXECUTOR_MODE");
  if (mode == "restore") return step::restore;
  if (mode == "settle") return step::settle;
  if (mode.empty() || mode == "backup") return step::backup;
  return std::unexpected("The variable EXECUTOR_MODE is none of restore, backup and settle.");
}

int run(step what, environment const& variables) { return tell(drive(what, variables), variables); }

int refuse(std::string const& why, environment const& variables) {
  return tell({.code = status::configuration, .message = why}, variables);
}

}  // namespace kopiur::executor::openbao
