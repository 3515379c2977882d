#include <algorithm>
#include <boost/asio.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "common/bus/fullness.hpp"
#include "common/process/child.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/cli/core/checks.hpp"
#include "services/cli/core/health.hpp"
#include "services/cli/embedded/up.hpp"
#include "services/cli/shell/dead_letters.hpp"
#include "services/cli/shell/disk_space.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/session.hpp"

/// doctor: checks that everything that kopiur needs exists and works.
namespace kopiur::cli {

namespace asio = boost::asio;
namespace subjects = proto::subjects;

namespace {

check programs() {
  auto found = embedded::find_programs({}, own_path());
  return found ? check{"programs", mood::good, found->nats_server + ", " + found->mover} : check{"programs", mood::bad, found.error()};
}

asio::awaitable<void> listen_to(process::child& mover, std::string& said, process::ending& end) {
  auto keep = [&](std::string_view bytes) { said += bytes; };
  co_await process::drain(mover.out(), keep);
  co_await process::drain(mover.err(), keep);
  end = co_await mover.wait();
}

/// The mover itself reports which kopia it would use, and whether it can.
check kopia() {
  auto mover = embedded::find_mover(own_path());
  if (!mover) return {"kopia", mood::bad, mover.error()};
  std::vector<std::string> environment;
  for (auto* name : {"PATH", "KOPIUR_KOPIA", "HOME"})
    if (auto* value = std::getenv(name)) environment.push_back(std::string(name) + "=" + value);
  asio::io_context loop(1);
  std::string said;
  process::ending end{.code = 1};
  process::child child(loop.get_executor(), {.arguments = {*mover, "--check"}, .environment = environment});
  asio::co_spawn(loop, listen_to(child, said, end), asio::detached);
  loop.run_for(std::chrono::seconds(20));
  while (said.ends_with('\n')) said.pop_back();
  if (said.empty()) said = *mover + " --check does not answer.";
  return {"kopia", end.success() ? mood::good : mood::bad, said};
}

asio::awaitable<void> check_bytes(session& session, std::vector<check>& checks) {
  auto* sizes = bus::administration_of(session.bus());
  if (!sizes) co_return;
  std::vector<used_stream> used;
  for (auto& each : proto::streams(1)) {
    auto size = co_await sizes->size(each.name);
    if (auto percent = size ? bus::percent_used(*size) : std::nullopt) used.push_back({each.name, *percent});
  }
  checks.push_back(budget_check(std::move(used)));
}

asio::awaitable<void> check_streams(session& session, std::vector<check>& checks) {
  auto streams = proto::streams(1);
  std::vector<std::string> missing;
  for (auto& each : streams)
    if (!co_await session.bus().info(each.name)) missing.push_back(each.name);
  checks.push_back(streams_check(streams.size(), missing));
  co_await check_bytes(session, checks);
}

/// A read through the gateway proves that commands are executed and answered.
asio::awaitable<void> check_gateway(session& session, std::vector<check>& checks) {
  auto begun = session.now();
  try {
    co_await session.ask(proto::read_object{proto::ref_to<proto::core_namespace>("", "kopiur-doctor")});
    checks.push_back({"gateway", mood::good, "answers within " + std::to_string((session.now() - begun).count()) + " ms"});
  } catch (complaint const& e) {
    checks.push_back({"gateway", mood::bad, e.what()});
  }
}

int tell(settings const& settings, std::vector<check> const& found) {
  print(settings, checks_table(found), checks_json(found), "");
  return any_bad(found) ? failed : done;
}

asio::awaitable<int> examine(session& session, settings settings, std::vector<check> found) {
  found.push_back({"kopiur up", mood::good, "answers"});
  co_await check_streams(session, found);
  co_await check_gateway(session, found);
  found.push_back(dead_letters_check((co_await dead_letters(session)).size()));
  try {
    co_await session.until_listed();
    std::ranges::move(bad_checks(health(session.objects(), "", true, session.now())), std::back_inserter(found));
  } catch (complaint const& e) {
    found.push_back({"objects", mood::bad, e.what()});
  }
  co_return tell(settings, found);
}

}  // namespace

int doctor_command(settings const& settings) {
  std::vector<check> found{programs(), kopia()};
  if (settings.bus.empty())
    for (auto& each : room(settings.data)) found.push_back({each.area, each.mood, each.subject + ": " + each.text});
  auto code = with_session(settings, [=](session& session) { return examine(session, settings, found); });
  if (code == not_running) tell(settings, found);
  return code;
}

}  // namespace kopiur::cli
