#include "services/gateway/adapters/kubernetes/pod_exec.hpp"

#include "services/gateway/adapters/kubernetes/kinds.hpp"
#include "services/gateway/adapters/kubernetes/pod.hpp"
#include "services/gateway/adapters/kubernetes/refusals.hpp"
#include "services/gateway/adapters/kubernetes/running_pod.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::value;
using proto::answer_code;

namespace {

constexpr std::size_t printed_kept = 300;
constexpr json::bounds status_bounds{.bytes = 64 << 10, .depth = 32, .members = 1'000};
constexpr duration try_again = 1s;
constexpr char const* protocol = "v5.channel.k8s.io";

call call_of(value const& pod, proto::exec_in_pod const& command) {
  auto* first = first_of(pod.at("spec.containers"));
  auto container = command.container.value_or(first ? std::string(first->text("name")) : "");
  call what{.path = path_of(*resource_of("Pod"), {"Pod", command.namespace_, std::string(pod.text("metadata.name"))}, "exec"),
            .query = {{"container", container}, {"stdout", "true"}, {"stderr", "true"}},
            .accept = "*/*"};
  for (auto& each : command.command) what.query.emplace("command", each);
  return what;
}

bool may_pass(error const& why) { return why.code == failure::unavailable || why.code == failure::too_many_requests; }

struct attempt {
  client& api;
  clock& time;
  proto::exec_in_pod command;
  exec_channels said{};
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
    auto connection = co_await api.channels(call_of(*found, command), protocol);
    if (!connection) co_return end = refused(connection.error()), !may_pass(connection.error());
    begun = true;
    while (auto message = co_await (*connection)->message()) said.take(*message);
    auto result = said.ended();
    end = result ? *result : refuse(answer_code::Ambiguous, "The connection ended before the command did: its result is unknown.");
    co_return true;
  }
};

}  // namespace

void exec_channels::take(std::string_view message) {
  if (message.size() < 2) return;
  auto content = message.substr(1);
  if (message.front() == 3) {
    if (auto read = json::parse(content, status_bounds)) status_ = std::move(*read);
  } else if (message.front() == 1 || message.front() == 2) {
    printed_ += content;
    if (printed_.size() > 2 * printed_kept) printed_.erase(0, printed_.size() - printed_kept);
  }
}

std::optional<outcome<void>> exec_channels::ended() const {
  if (!status_) return {};
  if (status_->text("status") == "Success") return outcome<void>();
  auto words = tail(printed_, printed_kept);
  words.erase(words.find_last_not_of(" \r\n") + 1);
  return refuse(answer_code::Unavailable, std::string(status_->text("message")) + (words.empty() ? "" : "; it said: " + words));
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
    failed = words_of(why);
  }
  if (!one.begun) co_return refuse(one.end.error().code, one.end.error().message + " (" + failed + ")");
  co_return refuse(answer_code::Ambiguous, "The command in pod " + one.pod + " did not end: " + failed + ". It may still run.");
}

}  // namespace kopiur::gateway::kubernetes
