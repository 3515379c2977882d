#pragma once
#include "common/http/pool.hpp"
#include "services/executor/core/openbao/ending.hpp"
#include "services/executor/core/openbao/settings.hpp"

namespace kopiur::executor::openbao {

/// The members of a cluster over HTTPS. `time` outlives it. Everything can be cancelled.
class members {
 public:
  /// Reads the certificates that it trusts.
  static outcome<std::shared_ptr<members>> open(clock& time, boost::asio::any_io_executor loop, cluster which);

  std::string pod(int ordinal) const { return which_.pod(ordinal); }
  std::string const& stateful_set() const { return which_.stateful_set; }

  /// All members, of which nothing is known yet.
  std::vector<member_health> all() const;
  /// Asks them for their health at the same time, and fills in the answers as they come; a few seconds at most.
  boost::asio::awaitable<void> look(std::vector<member_health>& all);
  boost::asio::awaitable<member_health> look_at(int ordinal);
  /// Since when that member leads, as it says; empty: it does not say.
  boost::asio::awaitable<std::string> active_since(int ordinal);
  /// The ordinal of the leader: five rounds, for 60 s at most.
  boost::asio::awaitable<outcome<int>> find_leader();
  /// A token, from that member.
  boost::asio::awaitable<outcome<std::string>> log_in(login who, int ordinal);
  /// Polls until all are healthy, or for `limit`, or until it is cancelled; `seen` has the last state, if there is one.
  boost::asio::awaitable<void> settle(duration limit, duration interval, std::optional<voters>& seen);

  /// A request to one member, never sent twice, with the token.
  boost::asio::awaitable<http::streamed_request> request_to(int ordinal, std::string method, std::string target, std::string token);
  /// Sends on a new connection: one that is used again may have ended, and nobody would know what became of the request.
  boost::asio::awaitable<std::expected<http::download, std::string>> send(http::streamed_request what);

 private:
  members(clock& time, boost::asio::any_io_executor loop, cluster which, http::certificates trusted);
  boost::asio::awaitable<void> get(int ordinal, std::string target, std::string& into);
  boost::asio::awaitable<void> get_in_time(int ordinal, std::string target, std::string& into);
  boost::asio::awaitable<void> search(std::optional<int>& leader, std::vector<member_health>& seen);

  clock& time_;
  boost::asio::any_io_executor loop_;
  cluster which_;
  http::certificates trusted_;
};

/// Why a file with a token cannot be used: a sentence; empty: it can.
std::string login_problem(login const& who);

}  // namespace kopiur::executor::openbao
