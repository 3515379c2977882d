#include "common/http/pool.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/semaphore.hpp"
#include "common/http/connection.hpp"
#include "common/http/headers.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

namespace {

using origin_key = std::tuple<bool, std::string, std::string, asio::ssl::context*, std::string>;

struct idle_connection {
  std::unique_ptr<connection> link;
  duration since;
};
struct origin {
  explicit origin(asio::any_io_executor const& loop, std::size_t at_a_time) : permits(loop, at_a_time) {}
  app::semaphore permits;
  certificates trusted;  // kept, so that no other certificates get their address
  std::vector<idle_connection> idle;
};

bool is_idempotent(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" || method == "OPTIONS";
}

std::string name_of(streamed_request const& what) {
  auto scheme = what.where.tls ? "https://" : "http://";
  return what.method + " " + scheme + host_header(what.where) + without_query(what.where.target);
}

origin_key key_of(streamed_request const& what) {
  std::string addresses;
  for (auto& each : what.connect_to.value_or(std::vector<endpoint>())) addresses += each.ip + " " + each.port + " ";
  return {what.where.tls, what.where.host, what.where.port, what.trusted.get(), addresses};
}

}  // namespace

struct pool::inside {
  inside(clock& clock, asio::any_io_executor executor, pool::limits limits) : time(clock), loop(std::move(executor)), bounds(limits) {}

  clock& time;
  asio::any_io_executor loop;
  pool::limits bounds;
  certificates of_system;
  std::map<origin_key, std::shared_ptr<origin>> origins;

  /// Closes what has waited too long, and forgets origins that nobody uses.
  void sweep() {
    auto oldest = time.steady() - bounds.idle;
    for (auto each = origins.begin(); each != origins.end();) {
      auto& home = *each->second;
      std::erase_if(home.idle, [&](idle_connection const& one) { return one.since < oldest; });
      bool unused = home.idle.empty() && each->second.use_count() == 1;
      each = unused ? origins.erase(each) : std::next(each);
    }
  }
  std::shared_ptr<origin> home_of(streamed_request const& what) {
    sweep();
    auto& home = origins[key_of(what)];
    if (!home) home = std::make_shared<origin>(loop, bounds.connections);
    home->trusted = what.trusted;
    return home;
  }
  std::unique_ptr<connection> reused(origin& home) {
    while (!home.idle.empty()) {
      auto link = std::move(home.idle.back().link);
      home.idle.pop_back();
      if (link->is_fresh()) return link;
    }
    return nullptr;
  }
  certificates const& system_certificates() {
    if (!of_system) of_system = loaded({});
    return of_system;
  }
  awaitable<void> connect(download::inside& call, streamed_request const& what);
};

/// A request under way, and then its answer. Members end in reverse order: the permit after the connection.
struct download::inside {
  inside(std::string called, clock& clock, patience limits) : name(std::move(called)), time(clock), watched(clock, limits) {}

  std::string name;
  clock& time;
  progress watched;
  std::shared_ptr<origin> home;
  std::optional<app::semaphore::permit> permit;
  std::unique_ptr<connection> link;
  answer_head head;
};

awaitable<void> pool::inside::connect(download::inside& call, streamed_request const& what) {
  call.link = std::make_unique<connection>(loop, what.where.tls ? what.trusted : nullptr, what.where);
  auto opening = what.connect_to ? call.link->open(*what.connect_to) : call.link->open();
  call.watched.suspend();  // it has its own limit
  co_await call.watched.guard(app::within(time, bounds.connect, std::move(opening), "no connection within " + to_text(bounds.connect)));
  call.watched.resume();
}

namespace {

/// Sends on one connection, and reads the answer's header.
awaitable<void> converse(download::inside& call, streamed_request& what) {
  wire_call head{.method = what.method, .target = what.where.target, .headers = what.headers, .body = {}};
  auto go = [](download::inside& to_fill, wire_call sent, streamed_request& request) -> awaitable<void> {
    to_fill.head = co_await to_fill.link->start(std::move(sent), request.body, request.asks_first, to_fill.watched);
  };
  co_await call.watched.guard(go(call, std::move(head), what));
}

/// Prepares a second attempt after a failure on a used connection; false: there must be none.
bool may_repeat(attempt_trace const& first, streamed_request& what) {
  if (first.heard || first.source_failure || !what.repeatable.value_or(is_idempotent(what.method))) return false;
  if (first.touched_body && !what.body.rewind) return false;
  if (first.touched_body) what.body.rewind();
  return true;
}

/// Sends on a used connection; false: it had ended, and the request may be sent again.
awaitable<bool> converse_on_used(download::inside& call, streamed_request& what) {
  try {
    co_await converse(call, what);
    co_return true;
  } catch (boost::system::system_error const&) {
    if (app::is_cancelled(std::current_exception()) || !may_repeat(call.link->trace(), what)) throw;
  }
  co_return false;
}

awaitable<void> wait_for_permit(download::inside& call) {
  auto go = [](download::inside& waiting) -> awaitable<void> { waiting.permit.emplace(co_await waiting.home->permits.take()); };
  call.watched.suspend();
  co_await call.watched.guard(go(call));
  call.watched.resume();
}

}  // namespace

pool::pool(clock& time, asio::any_io_executor loop, limits limits) : in_(std::make_shared<inside>(time, std::move(loop), limits)) {}
pool::~pool() = default;

std::size_t pool::idle() const {
  std::size_t sum = 0;
  for (auto& [key, home] : in_->origins) sum += home->idle.size();
  return sum;
}

awaitable<std::expected<download, std::string>> pool::ask(streamed_request what) {
  if (auto wrong = header_problem(what.method, what.headers); !wrong.empty()) co_return std::unexpected(wrong);
  auto state = in_;  // the pool may end before the request
  auto call = std::make_unique<download::inside>(name_of(what), state->time, what.limits);
  try {
    if (what.where.tls && !what.trusted) what.trusted = state->system_certificates();
    call->home = state->home_of(what);
    co_await wait_for_permit(*call);
    call->link = state->reused(*call->home);
    if (!call->link || !co_await converse_on_used(*call, what)) {
      co_await state->connect(*call, what);
      co_await converse(*call, what);
    }
    co_return download(std::move(call));
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    if (call->link && call->link->trace().source_failure) throw;
    co_return std::unexpected(call->name + " failed: " + words_of(failed) + ".");
  }
}

download::download(std::unique_ptr<inside> in) : in_(std::move(in)) {}
download::download(download&&) noexcept = default;
download& download::operator=(download&&) noexcept = default;
download::~download() {
  if (!in_ || !in_->link || !in_->link->is_fresh()) return;
  in_->home->idle.push_back({std::move(in_->link), in_->time.steady()});
}

answer_head const& download::head() const { return in_->head; }

awaitable<std::expected<std::size_t, std::string>> download::read(asio::mutable_buffer buffer) {
  std::size_t length = 0;
  auto fill = [](inside& call, asio::mutable_buffer target, std::size_t& filled) -> awaitable<void> {
    while (filled < target.size()) {
      auto more = co_await call.link->more(target + filled);
      if (more == 0) co_return;
      filled += more;
      call.watched.made();
    }
  };
  try {
    co_await in_->watched.guard(fill(*in_, buffer, length));
    co_return length;
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return std::unexpected("The answer to " + in_->name + " broke off: " + words_of(failed) + ".");
  }
}

awaitable<std::expected<std::string, std::string>> download::text(std::size_t longest) {
  std::string all;
  char piece[16 << 10];
  for (;;) {
    auto length = co_await read(asio::buffer(piece));
    if (!length) co_return std::unexpected(std::move(length.error()));
    if (*length == 0) co_return all;
    if (all.size() + *length > longest)
      co_return std::unexpected("The answer to " + in_->name + " is longer than " + std::to_string(longest) + " bytes.");
    all.append(piece, *length);
  }
}

}  // namespace kopiur::http
