#include "services/executor/shell/openbao/members.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/encoding/text.hpp"
#include "common/files/files.hpp"
#include "common/json/value.hpp"
#include "services/executor/core/openbao/answers.hpp"
#include "services/executor/core/openbao/application.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
using asio::awaitable;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t longest_answer = 256 << 10;
constexpr duration health_limit = 5s, search_limit = 60s, answer_limit = 10s;
constexpr int rounds = 5, login_attempts = 3;

std::string token_in(std::string const& file) { return std::string(encoding::trimmed(files::read_file(file).value_or(""))); }

json::value login_form(login const& who, std::string const& jwt) {
  auto out = json::value::make_object();
  out.set("role", who.role);
  out.set("jwt", jwt);
  return out;
}

}  // namespace

std::string login_problem(login const& who) {
  auto& file = who.role.empty() ? who.token_file : who.jwt_file;
  if (!token_in(file).empty()) return "";
  auto advice =
      who.role.empty() ? "Mount the Secret there, or set BACKUP_TOKEN_PATH." : "Mount a projected token there, or set JWT_TOKEN_PATH.";
  return "The token's file " + file + " does not exist, or is empty. " + advice;
}

members::members(clock& time, asio::any_io_executor loop, cluster which, http::certificates trusted)
    : time_(time), loop_(std::move(loop)), which_(std::move(which)), trusted_(std::move(trusted)) {}

outcome<std::shared_ptr<members>> members::open(clock& time, asio::any_io_executor loop, cluster which) {
  auto trusted = http::load({.ca_file = which.ca_file});
  if (!trusted) return std::unexpected(trouble{status::configuration, std::move(trusted.error())});
  return std::shared_ptr<members>(new members(time, std::move(loop), std::move(which), std::move(*trusted)));
}

awaitable<http::streamed_request> members::request_to(int ordinal, std::string method, std::string target, std::string token) {
  auto host = which_.host(ordinal);
  http::streamed_request out{.method = std::move(method),
                             .where = {.tls = true, .host = host, .port = "8200", .target = std::move(target)},
                             .repeatable = false,
                             .limits = {.total = answer_limit, .idle = answer_limit},
                             .trusted = trusted_};
  if (!token.empty()) out.headers.emplace_back("X-Vault-Token", std::move(token));
  if (which_.server_name.empty()) co_return out;
  out.where.host = which_.server_name;
  auto addresses = co_await http::resolve(host);
  for (auto& ip : addresses ? *addresses : std::vector<std::string>()) {
    if (!out.connect_to) out.connect_to.emplace();
    out.connect_to->push_back({ip, "8200"});
  }
  if (!out.connect_to) out.where.host = host;  // then the connection says that the name is unknown
  co_return out;
}

awaitable<std::expected<http::download, std::string>> members::send(http::streamed_request what) {
  http::pool fresh(time_, loop_, {.connect = health_limit});
  co_return co_await fresh.ask(std::move(what));
}

/// An answer without a body, and none at all, leave `into` empty.
awaitable<void> members::get(int ordinal, std::string target, std::string& into) {
  auto what = co_await request_to(ordinal, "GET", std::move(target), "");
  auto answer = co_await send(std::move(what));
  if (!answer) co_return;
  auto body = co_await answer->text(longest_answer);
  if (body) into = std::move(*body);
}

awaitable<void> members::get_in_time(int ordinal, std::string target, std::string& into) {
  try {
    co_await app::within(time_, health_limit, get(ordinal, std::move(target), into), "no answer");
  } catch (app::timed_out const&) {  // it does not answer
  }
}

awaitable<member_health> members::look_at(int ordinal) {
  std::string body;
  co_await get_in_time(ordinal, "/v1/sys/health", body);
  co_return member_health{.ordinal = ordinal, .answer = body.empty() ? std::nullopt : read_health(body)};
}

awaitable<std::string> members::active_since(int ordinal) {
  std::string body;
  co_await get_in_time(ordinal, "/v1/sys/leader", body);
  co_return read_active_since(body);
}

std::vector<member_health> members::all() const {
  std::vector<member_health> out;
  for (int i = 0; i < which_.replicas; ++i) out.push_back({.ordinal = i});
  return out;
}

awaitable<void> members::look(std::vector<member_health>& all) {
  app::nursery questions(loop_);
  auto ask = [](members& self, member_health& into) -> awaitable<void> { into = co_await self.look_at(into.ordinal); };
  for (auto& each : all) questions.spawn(ask(*this, each));
  co_await questions.join();
}

awaitable<void> members::search(std::optional<int>& leader, std::vector<member_health>& seen) {
  for (int round = 1;; ++round) {
    co_await look(seen);
    leader = leader_among(seen);
    if (leader || round == rounds) co_return;
    co_await time_.sleep_for(1s * (1 << (round - 1)));
  }
}

awaitable<outcome<int>> members::find_leader() {
  std::optional<int> leader;
  auto seen = all();
  try {
    co_await app::within(time_, search_limit, search(leader, seen), "no leader");
  } catch (app::timed_out const&) {  // what was seen is told
  }
  if (leader) co_return *leader;
  co_return std::unexpected(trouble{
      status::leader, "No member of OpenBao leads: " + describe(seen, which_.stateful_set) + ". Check their pods, and unseal them."});
}

awaitable<outcome<std::string>> members::log_in(login who, int ordinal) {
  if (auto wrong = login_problem(who); !wrong.empty()) co_return std::unexpected(trouble{status::configuration, std::move(wrong)});
  if (who.role.empty()) co_return token_in(who.token_file);
  auto jwt = token_in(who.jwt_file);
  std::string why;
  for (int attempt = 1; attempt <= login_attempts; ++attempt) {
    if (attempt > 1) co_await time_.sleep_for(1s);
    auto what = co_await request_to(ordinal, "POST", "/v1/auth/jwt-operator/login", "");
    what.headers.emplace_back("Content-Type", "application/json");
    what.body = http::text_upload(json::dump(login_form(who, jwt)));
    auto answer = co_await send(std::move(what));
    if (!answer) {
      why = "The login to OpenBao failed. " + answer.error();
      continue;
    }
    auto body = co_await answer->text(longest_answer);
    auto token = read_login_answer(answer->head().status, body.value_or(""));
    if (token) co_return token;
    why = encoding::masked(token.error().message, std::vector{jwt});
    if (answer->head().status < 500) break;
  }
  co_return std::unexpected(trouble{status::authentication, std::move(why)});
}

awaitable<void> members::settle(duration limit, duration interval, std::optional<voters>& seen) {
  auto known = all();
  auto go = [](members& self, duration pause, std::vector<member_health>& state, std::optional<voters>& into) -> awaitable<void> {
    for (;;) {
      co_await self.look(state);
      into = judge(state);
      if (into->all == voters::state::healthy) co_return;
      co_await self.time_.sleep_for(pause);
    }
  };
  try {
    co_await app::within(time_, limit, go(*this, interval, known, seen), "not healthy");
  } catch (app::timed_out const&) {
    seen = judge(known);
  }
}

}  // namespace kopiur::executor::openbao
