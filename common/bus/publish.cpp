#include "common/bus/publish.hpp"

#include "common/bus/administration.hpp"

namespace kopiur::bus {

namespace {

constexpr int lost_in_flight = 10164;  ///< compare-and-set lost against a write that is not stored yet, perhaps our own

/// One publication and its tries.
struct attempt {
  std::string subject, body, id;
  headers head;
  bool named = false;  // the caller gave the id, and may have used it before
  int count = 0;
};

/// The result of a try: done (a value), refused (an error), or a retry.
struct once_more {
  error why;
};
using verdict = std::variant<receipt, error, once_more>;

error with_subject(error why, std::string const& subject) {
  why.text = "publishing to " + subject + ": " + why.text;
  return why;
}

/// True when a stream owns the subject, or when that is unknown: a leader change is then as likely.
asio::awaitable<bool> may_be_owned(session& session, std::string const& subject) {
  auto body = json::value::make_object();
  body.set("subject", subject);
  auto const names = std::string("$JS.API.STREAM.NAMES");
  auto const text = dump(body);
  auto sent = co_await session.link().request(names, text);
  if (!sent) co_return true;
  auto read = wire::read_answer(sent->body());
  if (!read) co_return true;
  auto* streams = read->find("streams");
  co_return streams && streams->as_array() && !streams->as_array()->empty();
}

/// Checks whether the write that won is our own: an earlier try was stored and its answer lost. A single server compares the sequence
/// before it looks for the id, so a repeated id ends here instead of as a duplicate.
asio::awaitable<verdict> who_won(session& session, attempt const& it, wire::refusal lost) {
  auto now = co_await last(session, lost.stream, it.subject);
  if (now && *now && header((*now)->head, "Nats-Msg-Id") == it.id) co_return receipt{lost.stream, (*now)->sequence, true};
  if (lost.err_code == lost_in_flight) co_return once_more{std::move(lost.what)};
  co_return std::move(lost.what);
}

asio::awaitable<verdict> judge(session& session, attempt const& it, wire::refusal why) {
  bool ours_perhaps = (it.count > 1 || it.named) && why.what.kind == failure::wrong_sequence && !why.stream.empty();
  if (ours_perhaps) co_return co_await who_won(session, it, std::move(why));
  if (wire::is_passing(why.err_code)) co_return once_more{std::move(why.what)};
  if (is_out_of_bytes(why.what)) {
    why.what.text = "the stream has no bytes left and takes no more messages until some are gone, or it gets more: " + why.what.text;
    co_return once_more{std::move(why.what)};
  }
  co_return std::move(why.what);
}

asio::awaitable<verdict> judge(session& session, attempt const& it, error why) {
  if (why.kind == failure::no_responders && !co_await may_be_owned(session, it.subject))
    co_return error{failure::no_responders, "no stream owns this subject; create the streams first", {}};
  co_return once_more{std::move(why)};
}

result<std::optional<stored>> one_of(wire::answer const& read) {
  if (!read && read.error().err_code == 10037) return std::nullopt;
  if (!read) return std::unexpected(read.error().what);
  if (auto one = wire::read_stored(*read)) return one;
  return std::unexpected(error{failure::refused, "the server's answer holds no message that can be read", {}});
}

}  // namespace

asio::awaitable<result<receipt>> publish(std::shared_ptr<session> session, publication what) {
  bool const named = !what.id.empty();
  if (!named && what.expected) what.id = session->next_id();
  attempt it{.subject = what.subject, .body = std::move(what.body), .id = what.id, .named = named};
  it.head = wire::publish_headers(std::move(what));
  auto const until = session->deadline();
  while (true) {
    ++it.count;
    verdict outcome;
    if (auto sent = co_await session->link().request(it.subject, it.body, it.head); !sent)
      outcome = co_await judge(*session, it, std::move(sent).error());
    else if (auto read = wire::read_receipt(sent->body()))
      co_return *std::move(read);
    else
      outcome = co_await judge(*session, it, std::move(read).error());
    if (auto* done = std::get_if<receipt>(&outcome)) co_return std::move(*done);
    if (auto* failed = std::get_if<error>(&outcome)) co_return std::unexpected(with_subject(std::move(*failed), it.subject));
    auto why = std::get<once_more>(std::move(outcome)).why;
    if (!co_await session->again(why, it.count, until)) co_return std::unexpected(with_subject(std::move(why), it.subject));
  }
}

asio::awaitable<result<std::optional<stored>>> last(session& session, std::string const& stream, std::string const& subject) {
  if (subject == ">") {  // servers answer that with the highest sequence, which may be erased; every subject has one token or more
    auto one = co_await last(session, stream, "*");
    auto more = co_await last(session, stream, "*.>");
    if (!one || !more) co_return one ? more : one;
    co_return *one && (!*more || (*one)->sequence > (*more)->sequence) ? one : more;
  }
  co_return one_of(co_await session.ask("STREAM.MSG.GET." + stream, wire::last_body(subject)));
}

asio::awaitable<result<std::optional<stored>>> at(session& session, std::string const& stream, std::uint64_t sequence) {
  co_return one_of(co_await session.ask("STREAM.MSG.GET." + stream, wire::at_body(sequence)));
}

}  // namespace kopiur::bus
