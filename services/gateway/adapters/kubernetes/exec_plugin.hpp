#pragma once
#include "common/app/async.hpp"
#include "common/json/value.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/adapters/kubernetes/access.hpp"

namespace kopiur::gateway::kubernetes {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// `users[].user.exec` of a kubeconfig, whose folder is `folder`: a command with a slash counts from there, as kubectl does it. `cluster`
/// is the entry of the cluster that it logs in to, `authority` the PEM that its server is known by. The error names the field.
std::expected<exec_plugin, std::string> read_exec(json::value const& exec, std::filesystem::path const& folder, json::value const& cluster,
                                                  std::string const& authority);

/// What such a program said: a token, a certificate with its key, or both.
struct exec_credential {
  std::string token;
  std::string certificate, key;  ///< PEM
  std::optional<instant> until;  ///< nothing: it is asked again when the server refuses it
  bool operator==(exec_credential const&) const = default;
};
/// From the ExecCredential that it prints, which has to be of the plugin's version.
std::expected<exec_credential, std::string> read_credential(std::string_view printed, std::string const& api_version);

/// Who a program says that we are. It is asked at the first need, when what it said has expired, and when the server refuses that.
class exec_credentials {
 public:
  static constexpr duration longest{30'000};

  exec_credentials(clock& time, asio::any_io_executor loop, exec_plugin how, duration limit = longest)
      : time_(time), loop_(std::move(loop)), how_(std::move(how)), limit_(limit), ended_(loop_) {}

  /// What holds now. Who comes while the program runs waits for that run. The error is a sentence with the program, what it wrote to
  /// stderr and the kubeconfig's hint. A program that takes longer than the limit is killed.
  awaitable<std::expected<exec_credential, std::string>> now();
  /// The server does not take it any more.
  void reject() { known_.reset(); }

 private:
  awaitable<std::expected<exec_credential, std::string>> ask();

  clock& time_;
  asio::any_io_executor loop_;
  exec_plugin how_;
  duration limit_;
  bool running_ = false;
  app::event ended_;
  std::uint64_t runs_ = 0;                                                  // that ended by themselves
  std::expected<exec_credential, std::string> last_ = std::unexpected("");  // what the last of them said
  std::optional<exec_credential> known_;
};

}  // namespace kopiur::gateway::kubernetes
