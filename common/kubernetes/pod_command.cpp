#include "common/kubernetes/pod_command.hpp"

namespace kopiur::kubernetes {

namespace {

constexpr json::bounds status_bounds{.bytes = 64 << 10, .depth = 32, .members = 1'000};
constexpr char const* protocol = "v5.channel.k8s.io";

}  // namespace

void exec_channels::take(std::string_view message) {
  if (message.size() < 2) return;
  auto content = message.substr(1);
  if (message.front() == 3) {
    if (auto read = json::parse(content, status_bounds)) status_ = std::move(*read);
  } else if (message.front() == 1 || message.front() == 2) {
    printed_ += content;
    if (printed_.size() > 2 * kept_) printed_.erase(0, printed_.size() - kept_);
  }
}

std::optional<command_end> exec_channels::ended() const {
  if (!status_) return {};
  return command_end{
      .succeeded = status_->text("status") == "Success", .message = std::string(status_->text("message")), .printed = printed_};
}

awaitable<std::optional<command_end>> running_command::wait() {
  while (auto message = co_await link_->message()) said_.take(*message);
  co_return said_.ended();
}

awaitable<result<running_command>> start_command(client& api, pod_command what) {
  call request{
      .path = path_of(pods, what.namespace_, what.pod, "exec"), .query = {{"stdout", "true"}, {"stderr", "true"}}, .accept = "*/*"};
  if (!what.container.empty()) request.query.emplace("container", std::move(what.container));
  for (auto& each : what.command) request.query.emplace("command", std::move(each));
  auto link = co_await api.channels(std::move(request), protocol);
  if (!link) co_return std::unexpected(link.error());
  co_return running_command(std::move(*link), what.kept);
}

}  // namespace kopiur::kubernetes
