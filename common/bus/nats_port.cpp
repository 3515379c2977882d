#include "common/bus/nats_port.hpp"

#include "common/bus/nats_feed.hpp"
#include "common/bus/nats_listener.hpp"
#include "common/bus/nats_worker.hpp"
#include "common/bus/probe.hpp"
#include "common/bus/publish.hpp"
#include "common/bus/wire_config.hpp"

namespace kopiur::bus {

namespace {

constexpr int stream_exists_otherwise = 10058, no_storage = 10047, consumer_exists = 10148;

/// A configuration that the server does not accept is `refused`, whatever its number; transient and not-found errors keep their kind.
error config_error(std::string const& what, wire::refusal why) {
  if (why.err_code && why.what.kind == failure::other) why.what.kind = failure::refused;
  why.what.text = what + ": " + why.what.text;
  return std::move(why).what;
}

/// Whether the server's echo equals the request.
result<void> check_echo(std::string const& what, json::value const& asked, json::value const& answer) {
  auto* echo = answer.find("config");
  auto faults = echo ? wire::differences(asked, *echo) : std::vector<std::string>{"no config came back"};
  if (faults.empty()) return {};
  std::string text = what + " was created with other settings than requested, so this server cannot be used:";
  for (auto const& one : faults) text += " " + one + ";";
  return std::unexpected(error{failure::refused, std::move(text), {}});
}

}  // namespace

asio::awaitable<result<std::unique_ptr<nats_port>>> nats_port::open(asio::io_context& loop, nats_options options) {
  auto shared = std::make_shared<session>(loop, std::move(options));
  auto opened = co_await shared->link().open();
  if (opened) opened = co_await probe(*shared);
  if (opened) co_return std::unique_ptr<nats_port>(new nats_port(std::move(shared)));
  co_await shared->close();
  co_return std::unexpected(std::move(opened).error());
}

asio::awaitable<result<void>> nats_port::with(asio::io_context& loop, nats_options options,
                                              std::function<asio::awaitable<void>(nats_port&)> body) {
  auto port = co_await open(loop, std::move(options));
  if (!port) co_return std::unexpected(std::move(port).error());
  std::exception_ptr ended;
  try {
    co_await body(**port);
  } catch (...) {
    ended = std::current_exception();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await (*port)->close();
  if (ended) std::rethrow_exception(ended);
  co_return result<void>();
}

nats_port::~nats_port() = default;

asio::awaitable<result<receipt>> nats_port::publish(publication what) { return bus::publish(session_, std::move(what)); }

void nats_port::tell(std::string subject, std::string body, headers head) {
  for (auto& [name, value] : head) value = wire::one_line(std::move(value));
  session_->link().send(subject, {}, body, head);
}

asio::awaitable<result<std::optional<stored>>> nats_port::last(std::string stream, std::string subject) {
  auto session = session_;
  co_return co_await bus::last(*session, stream, subject);
}

asio::awaitable<result<std::optional<stored>>> nats_port::at(std::string stream, std::uint64_t sequence) {
  auto session = session_;
  co_return co_await bus::at(*session, stream, sequence);
}

asio::awaitable<result<bool>> nats_port::erase(std::string stream, std::uint64_t sequence) {
  auto session = session_;
  auto erased = co_await session->ask("STREAM.MSG.DELETE." + stream, wire::erase_body(sequence));
  if (erased) co_return true;
  auto still = co_await bus::at(*session, stream, sequence);  // servers report a missing message with different errors
  if (still && !*still) co_return false;
  if (!still) co_return std::unexpected(std::move(still).error());
  co_return std::unexpected(std::move(erased).error().what);
}

std::unique_ptr<worker> nats_port::work(std::string stream, std::string durable, int window) {
  return std::make_unique<nats_worker>(session_, std::move(stream), std::move(durable), window);
}

std::unique_ptr<feed> nats_port::follow(std::string stream, std::vector<std::string> filters) {
  return std::make_unique<nats_feed>(session_, std::move(stream), std::move(filters));
}

std::unique_ptr<listener> nats_port::listen(std::string subject) { return std::make_unique<nats_listener>(session_, subject); }

asio::awaitable<result<stream_info>> nats_port::ensure(stream_config wanted) {
  auto session = session_;
  auto const what = "stream " + wanted.name;
  auto const body = wire::stream_body(wanted);
  auto made = co_await session->ask("STREAM.CREATE." + wanted.name, dump(body));
  // A server counts the bytes of a stream that exists twice when it is asked to create it, and refuses.
  bool may_exist = !made && (made.error().err_code == stream_exists_otherwise || made.error().err_code == no_storage);
  if (may_exist) {
    auto updated = co_await session->ask("STREAM.UPDATE." + wanted.name, dump(body));
    if (updated || updated.error().what.kind != failure::not_found) made = std::move(updated);
  }
  if (!made) co_return std::unexpected(config_error(what, std::move(made).error()));
  if (auto same = check_echo(what, body, *made); !same) co_return std::unexpected(std::move(same).error());
  co_return wire::read_info(*made);
}

asio::awaitable<result<void>> nats_port::ensure(consumer_config wanted) {
  auto session = session_;
  auto const what = "consumer " + wanted.name + " of stream " + wanted.stream;
  auto const subject = "CONSUMER.CREATE." + wanted.stream + "." + wanted.name;
  auto const body = wire::consumer_body(wanted);
  auto made = co_await session->ask(subject, wire::consumer_request(wanted.stream, body, "create"));
  if (!made && made.error().err_code == consumer_exists)
    made = co_await session->ask(subject, wire::consumer_request(wanted.stream, body, "update"));
  if (!made) co_return std::unexpected(config_error(what, std::move(made).error()));
  if (check_echo(what, body, *made)) co_return result<void>();
  // nats-server answers the first update after its start with the settings from before that update.
  made = co_await session->ask("CONSUMER.INFO." + wanted.stream + "." + wanted.name, {});
  if (!made) co_return std::unexpected(config_error(what, std::move(made).error()));
  co_return check_echo(what, body, *made);
}

asio::awaitable<result<stream_info>> nats_port::info(std::string stream) {
  auto session = session_;
  auto read = co_await session->ask("STREAM.INFO." + stream, {});
  if (!read) co_return std::unexpected(std::move(read).error().what);
  co_return wire::read_info(*read);
}

asio::awaitable<result<stream_size>> nats_port::size(std::string stream) {
  auto session = session_;
  auto read = co_await session->ask("STREAM.INFO." + stream, {});
  if (!read) co_return std::unexpected(std::move(read).error().what);
  co_return wire::read_size(*read);
}

asio::awaitable<result<consumer_state>> nats_port::consumer(std::string stream, std::string name) {
  auto session = session_;
  auto read = co_await session->ask("CONSUMER.INFO." + stream + "." + name, {});
  if (!read) co_return std::unexpected(std::move(read).error().what);
  co_return wire::read_consumer(*read);
}

asio::awaitable<result<void>> nats_port::remove_consumer(std::string stream, std::string name) {
  auto session = session_;
  auto removed = co_await session->ask("CONSUMER.DELETE." + stream + "." + name, {});
  if (!removed && removed.error().what.kind != failure::not_found) co_return std::unexpected(std::move(removed).error().what);
  co_return result<void>();
}

asio::awaitable<void> nats_port::close() {
  auto session = session_;
  co_await session->close();
}

asio::awaitable<std::string> nats_port::until_closed() {
  auto session = session_;
  co_await session->link().until_closed();
  co_return session->link().reason();
}

}  // namespace kopiur::bus
