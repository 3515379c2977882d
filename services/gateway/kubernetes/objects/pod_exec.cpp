#include "services/gateway/kubernetes/objects/pod_exec.hpp"

#include "common/encoding/text.hpp"
#include "common/http/connection.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/objects/running_pod.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::value;
using proto::answer_code;

namespace {

constexpr std::size_t printed_kept = 300;
constexpr duration try_again = 1s;

kopiur::kubernetes::pod_command command_in(value const& pod, proto::exec_in_pod const& command) {
  auto* first = first_of(pod.at("spec.containers"));
  return {.namespace_ = command.namespace_,
          .pod = std::string(pod.text("metadata.name")),
          .container = command.container.value_or(first ? std::string(first->text("name")) : ""),
          .command = command.command,
          .kept = printed_kept};
}

bool may_pass(error const& why) { return why.code == failure::unavailable || why.code == failure::too_many_requests; }

struct attempt {
  client& api;
  clock& time;
  proto::exec_in_pod command;
  std::string pod{};
  bool begun = false;
  outcome<void> end = refuse(answer_code::Unavailable, "The command was not started.");

  awaitable<void> run() {
    while (!co_await begin()) co_await time.sleep_for(try_again);
  }

  /// False: the command was not started, and the reason may be temporary.
  awaitable<bool> begin() {
    auto found = co_await running_pod(api, command.namespace_, command.pod_selector);
    if (!found) co_return end = std::unexpected(found.error()), true;
    pod = std::string(found->text("metadata.name"));
    auto started = co_await start_command(api, command_in(*found, command));
    if (!started) co_return end = refused(started.error()), !may_pass(started.error());
    begun = true;
    end = outcome_of(co_await started->wait());
    co_return true;
  }
};

}  // namespace

outcome<void> outcome_of(std::optional<kopiur::kubernetes::command_end> const& end) {
  if (!end) return refuse(answer_code::Ambiguous, "The connection ended before the command did: its result is unknown.");
  if (end->succeeded) return {};
  auto words = encoding::tail(end->printed, printed_kept);
  words.erase(words.find_last_not_of(" \r\n") + 1);
  return refuse(answer_code::Unavailable, end->message + (words.empty() ? "" : "; it said: " + words));
}

awaitable<outcome<void>> exec_in(client& api, clock& time, proto::exec_in_pod command) {
  auto limit = std::chrono::seconds(command.timeout_seconds);
  attempt one{.api = api, .time = time, .command = std::move(command)};
  std::string failed;
  try {
    co_await app::within(time, limit, one.run(), "not within " + to_text(duration(limit)));
    co_return one.end;
  } catch (std::exception const& why) {
    if (app::is_cancelled(std::current_exception())) throw;
    failed = http::words_of(why);
  }
  if (!one.begun) co_return refuse(one.end.error().code, one.end.error().message + " (" + failed + ")");
  co_return refuse(answer_code::Ambiguous, "The command in pod " + one.pod + " did not end: " + failed + ". It may still run.");
}

}  // namespace kopiur::gateway::kubernetes
