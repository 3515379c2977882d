#pragma once
#include "common/app/async.hpp"
#include "common/json/value.hpp"
#include "common/kubernetes/access.hpp"
#include "common/time/clock.hpp"

namespace kopiur::kubernetes {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// Parses `users[].user.exec` of a kubeconfig in `folder`: a command with a slash is relative to it, as for kubectl. `cluster` is the entry
/// of the cluster that it logs in to, `authority` the PEM that verifies its server. The error names the field.
std::expected<exec_plugin, std::string> read_exec(json::value const& exec, std::filesystem::path const& folder, json::value const& cluster,
                                                  std::string const& authority);

/// The output of such a program: a token, a certificate with its key, or both.
struct exec_credential {
  std::string token;
  std::string certificate, key;  ///< PEM
  std::optional<instant> until;  ///< nothing: valid until the server refuses it
  bool operator==(exec_credential const&) const = default;
};
/// Parses the printed ExecCredential, which must have the plugin's version.
std::expected<exec_credential, std::string> read_credential(std::string_view printed, std::string const& api_version);

/// Credentials from a program. It runs at the first need, when they have expired, and after the server refused them.
class exec_credentials {
 public:
  static constexpr duration longest{30'000};

  exec_credentials(clock& time, asio::any_io_executor loop, exec_plugin plugin, duration limit = longest)
      : time_(time), loop_(std::move(loop)), plugin_(std::move(plugin)), limit_(limit), ended_(loop_) {}

  /// The current credentials. Callers that arrive while the program runs wait for that run. The error is a sentence with the program, its
  /// stderr and the kubeconfig's hint. A program that exceeds the limit is killed.
  awaitable<std::expected<exec_credential, std::string>> now();
  /// The server no longer accepts them.
  void reject() { known_.reset(); }

 private:
  awaitable<std::expected<exec_credential, std::string>> ask();

  clock& time_;
  asio::any_io_executor loop_;
  exec_plugin plugin_;
  duration limit_;
  bool running_ = false;
  app::event ended_;
  std::uint64_t runs_ = 0;                                                  // completed runs
  std::expected<exec_credential, std::string> last_ = std::unexpected("");  // the result of the last one
  std::optional<exec_credential> known_;
};

}  // namespace kopiur::kubernetes
