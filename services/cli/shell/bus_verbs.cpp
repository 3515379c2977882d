#include <boost/asio.hpp>
#include <cstdio>

#include "common/bus/dead_letters.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/cli/core/dead_letters.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/shell/dead_letters.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/session.hpp"
#include "services/runtime/embedded/former_durables.hpp"

/// bus apply, bus dlq.
namespace kopiur::cli {

namespace asio = boost::asio;
namespace subjects = proto::subjects;

namespace {

asio::awaitable<int> apply(session& session, int replicas, std::int64_t store) {
  for (auto& each : proto::streams(replicas, store)) {
    auto name = each.name;
    auto made = co_await session.bus().ensure(std::move(each));
    if (!made) throw complaint(failed, "The bus refuses stream " + name + ": " + made.error().text);
    say("stream " + name + ": " + std::to_string(made->messages) + " messages");
  }
  for (auto& each : proto::consumers(session.cluster())) {
    auto name = each.name;
    auto made = co_await session.bus().ensure(std::move(each));
    if (!made) throw complaint(failed, "The bus refuses consumer " + name + ": " + made.error().text);
    say("consumer " + name);
  }
  for (auto const& each : co_await embedded::remove_former_durables(session.bus(), session.time())) say("removed consumer " + each);
  co_return done;
}

asio::awaitable<bus::stored> letter(session& session, std::uint64_t sequence) {
  auto message = co_await session.bus().at(std::string(subjects::dead_letters), sequence);
  if (!message) throw complaint(failed, message.error().text);
  if (!*message) throw complaint(not_found, "There is no dead letter " + std::to_string(sequence) + "; see: kopiur bus dlq");
  co_return std::move(**message);
}

asio::awaitable<void> erase(session& session, std::uint64_t sequence) {
  auto gone = co_await session.bus().erase(std::string(subjects::dead_letters), sequence);
  if (!gone) throw complaint(failed, gone.error().text);
}

asio::awaitable<int> show(session& session, std::uint64_t sequence) {
  auto message = co_await letter(session, sequence);
  for (auto& [name, text] : message.head) std::printf("%s: %s\n", name.c_str(), text.c_str());
  say("\n" + message.body);
  co_return done;
}

/// Publishes it again as a new message, for a handler that can process it now.
asio::awaitable<int> retry(session& session, std::uint64_t sequence) {
  auto message = co_await letter(session, sequence);
  std::string subject(bus::header(message.head, "Dead-Subject"));
  if (auto why = why_not_again(subject)) throw complaint(failed, *why);
  bus::headers head;
  for (auto& each : message.head)
    if (each.first.starts_with("ce-")) head.push_back(each);
  auto stored = co_await session.bus().publish({.subject = subject, .body = message.body, .head = std::move(head)});
  if (!stored) throw complaint(failed, subject + ": " + stored.error().text);
  co_await erase(session, sequence);
  say("sent again to " + subject);
  co_return done;
}

asio::awaitable<int> list(session& session, settings settings) {
  auto all = co_await dead_letters(session);
  table shown{.columns = {"SEQ", "DIED", "SUBJECT", "ATTEMPTS", "WHY"}, .rows = {}};
  auto content = json::value::make_array();
  for (auto& each : all) {
    auto say_of = [&](char const* name) { return std::string(bus::header(each.head, name)); };
    shown.rows.push_back({std::to_string(each.sequence), when_text(each.time, session.now()), say_of("Dead-Subject"),
                          say_of("Dead-Attempts"), cell(say_of("Dead-Reason"), tone::bad)});
    content.push(json::object{{"sequence", each.sequence},
                              {"at", to_text(each.time)},
                              {"subject", say_of("Dead-Subject")},
                              {"attempts", say_of("Dead-Attempts")},
                              {"reason", say_of("Dead-Reason")}});
  }
  print(settings, shown, content, "There are no dead letters.");
  co_return done;
}

asio::awaitable<int> drop(session& session, std::uint64_t sequence) {
  co_await letter(session, sequence);
  co_await erase(session, sequence);
  say("dropped");
  co_return done;
}

}  // namespace

int bus_apply_command(settings const& settings, int replicas, std::int64_t store) {
  return with_session(settings, [=](session& session) { return apply(session, replicas, store); });
}

int bus_dlq_command(settings const& settings, std::uint64_t shown, std::uint64_t again, std::uint64_t dropped) {
  return with_session(settings, [=](session& session) {
    return shown ? show(session, shown) : again ? retry(session, again) : dropped ? drop(session, dropped) : list(session, settings);
  });
}

}  // namespace kopiur::cli
