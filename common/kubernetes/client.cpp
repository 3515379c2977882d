#include "common/kubernetes/client.hpp"

#include <boost/asio.hpp>

#include "common/kubernetes/api_json.hpp"
#include "common/kubernetes/tls.hpp"

namespace kopiur::kubernetes {

using namespace std::chrono_literals;

namespace {

bool is_read(call const& what) { return what.method == "GET"; }
std::string name_of(call const& what) { return what.method + " " + what.path; }

std::string target_of(call const& what, std::string const& prefix) {
  auto target = prefix + what.path;
  char before = '?';
  for (auto& [name, value] : what.query) target += std::exchange(before, '&') + encoded(name) + "=" + encoded(value);
  return target;
}

error without_answer(call const& what, std::string const& why, bool too_large = false) {
  auto code = !is_read(what) ? failure::ambiguous : too_large ? failure::invalid : failure::unavailable;
  auto then = is_read(what) ? "." : "; it may have been done.";
  return {.code = code, .message = name_of(what) + " was not answered: " + why + then, .too_large = too_large};
}

/// etcd may have stored a write whose answer timed out; only 503 says that the write was not processed.
error judged(call const& what, error failed) {
  if (!is_read(what) && failed.status >= 500 && failed.status != 503) failed.code = failure::ambiguous;
  return failed;
}

}  // namespace

json::array items_of(json::value list) {
  auto* items = list.find("items");
  return items && items->as_array() ? std::move(*items->as_array()) : json::array{};
}

client::client(clock& time, asio::any_io_executor loop, access who, limits limits)
    : time_(time), loop_(std::move(loop)), who_(std::move(who)), limits_(limits), tls_(tls_of(who_)), permits_(loop_, limits_.connections) {
  auto where = http::parse_url(who_.server);
  if (!where) throw std::runtime_error("The API server: " + where.error());
  where_ = std::move(*where);
  if (where_.target == "/") where_.target.clear();
  if (who_.exec) exec_.emplace(time_, loop_, *who_.exec);
}

/// Gets the current credentials of the program, if there is one. Connections belong to one certificate: a new one replaces them.
awaitable<result<void>> client::identify(std::string const& what) {
  if (!exec_) co_return result<void>();
  auto known = co_await exec_->now();
  auto fail = [&](std::string const& why) { return std::unexpected(error{.message = what + " was not sent: " + why}); };
  if (!known) co_return fail(known.error());
  who_.token = std::move(known->token);
  if (known->certificate == who_.certificate && known->key == who_.key) co_return result<void>();
  who_.certificate = std::move(known->certificate), who_.key = std::move(known->key);
  try {
    tls_ = tls_of(who_);
  } catch (std::runtime_error const& why) {
    exec_->reject();
    who_.certificate.clear(), who_.key.clear();
    co_return fail(why.what());
  }
  idle_.clear();
  co_return result<void>();
}

/// Reads the file again each minute: the kubelet replaces it long before its token expires.
std::string const& client::token() {
  if (who_.token_file.empty()) return who_.token;
  if (!token_read_ || time_.now() < *token_read_ || time_.now() - *token_read_ > 1min) {
    if (auto now = token_in(who_.token_file); !now.empty()) token_ = std::move(now);
    token_read_ = time_.now();
  }
  return token_;
}

wire_call client::to_wire(call const& what) {
  wire_call out{.method = what.method,
                .target = target_of(what, where_.target),
                .headers = {{"Accept", what.accept}},
                .body = {},
                .longest = limits_.content.bytes};
  if (auto& bearer = token(); !bearer.empty()) out.headers.emplace_back("Authorization", "Bearer " + bearer);
  if (!what.body.is_null()) out.headers.emplace_back("Content-Type", what.content_type), out.body = json::dump(what.body);
  return out;
}

awaitable<result<std::unique_ptr<connection>>> client::connected(std::string const& what) {
  while (!idle_.empty()) {
    auto used = std::move(idle_.back());
    idle_.pop_back();
    if (used->is_fresh()) co_return used;
  }
  auto fresh = std::make_unique<connection>(loop_, tls_, where_, who_.tls_server_name);
  try {
    co_await app::within(time_, limits_.connect, fresh->open(), "no connection within " + to_text(limits_.connect));
    co_return fresh;
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return std::unexpected(error{.message = what + ": " + who_.server + " cannot be reached: " + http::words_of(failed) + "."});
  }
}

awaitable<result<wire_answer>> client::answered(call const& what, awaitable<wire_answer> work) {
  wire_answer answer;
  auto go = [](awaitable<wire_answer> from, wire_answer& into) -> awaitable<void> { into = co_await std::move(from); };
  try {
    co_await app::within(time_, limits_.answer, go(std::move(work), answer), "nothing within " + to_text(limits_.answer));
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return std::unexpected(without_answer(what, http::words_of(failed), http::is_too_long(failed)));
  }
  if (answer.status == 401) token_read_.reset();  // the file may have been replaced
  if (answer.status == 401 && exec_) exec_->reject();
  co_return answer;
}

awaitable<result<json::value>> client::ask_once(call const& what) {
  auto turn = what.at_once ? permits_.take_at_once() : co_await permits_.take();
  if (auto known = co_await identify(name_of(what)); !known) co_return std::unexpected(known.error());
  auto as = tls_;
  auto connection = co_await connected(name_of(what));
  if (!connection) co_return std::unexpected(connection.error());
  auto answer = co_await answered(what, (*connection)->exchange(to_wire(what)));
  if (!answer) co_return std::unexpected(answer.error());
  if (idle_.size() < limits_.connections && as == tls_) idle_.push_back(std::move(*connection));
  if (answer->status >= 400)
    co_return std::unexpected(judged(what, read_error(answer->status, answer->retry_after, answer->body, name_of(what))));
  auto content = read_api_json(answer->body, limits_.content);
  if (!content) co_return std::unexpected(without_answer(what, "the answer is " + content.error().text(), content.error().too_large));
  co_return std::move(*content);
}

/// From a tenth of a second, doubled each time, up to ten seconds; never less than the server requests; with jitter, so that clients do not
/// return at the same time.
awaitable<void> client::pause(int attempt, duration asked) {
  auto own = std::min<duration>(10s, duration(100) * (1 << std::min(attempt, 7)));
  auto spread = std::uniform_real_distribution(1.0, 1.5)(luck_);
  auto length = static_cast<double>(std::max(own, asked).count()) * spread;
  co_await time_.sleep_for(duration(static_cast<std::int64_t>(length)));
}

awaitable<result<json::value>> client::ask(call what) {
  for (int attempt = 0;; ++attempt) {
    auto answer = co_await ask_once(what);
    if (answer) co_return answer;
    auto& failed = answer.error();
    bool nothing_done = failed.code == failure::too_many_requests || failed.code == failure::unavailable ||
                        (failed.status == 401 && attempt == 0 && may_be_known_again());
    if (!nothing_done || attempt + 1 >= limits_.attempts) co_return answer;
    co_await pause(attempt, failed.retry_after);
  }
}

awaitable<result<std::unique_ptr<connection>>> client::begun(call what, int good,
                                                             std::function<awaitable<wire_answer>(connection&, wire_call)> begin) {
  if (auto known = co_await identify(name_of(what)); !known) co_return std::unexpected(known.error());
  auto opened = co_await connected(name_of(what));
  if (!opened) co_return opened;
  auto answer = co_await answered(what, begin(**opened, to_wire(what)));
  if (!answer) co_return std::unexpected(answer.error());
  if (answer->status != good) co_return std::unexpected(read_error(answer->status, answer->retry_after, answer->body, name_of(what)));
  co_return opened;
}

awaitable<result<std::unique_ptr<connection>>> client::stream(call what) {
  return begun(std::move(what), 200, [](connection& link, wire_call sent) { return link.begin(std::move(sent)); });
}

awaitable<result<std::unique_ptr<connection>>> client::channels(call what, std::string protocol) {
  return begun(std::move(what), 101,
               [protocol = std::move(protocol)](connection& link, wire_call sent) { return link.upgrade(std::move(sent), protocol); });
}

}  // namespace kopiur::kubernetes
