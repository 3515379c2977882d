#include "common/bus/administration.hpp"
#include "common/bus/test/conformance.hpp"

/// Publishing, compare-and-set, and reading back.
namespace kopiur::bus::conformance {

using namespace std::chrono_literals;

namespace {

asio::awaitable<void> counts_its_stream(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto first = must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  auto second = must(co_await bus->publish({.subject = "a.y", .body = "2"}));
  EXPECT_EQ(first.stream, "a");
  EXPECT_EQ(first.sequence, 1u);
  EXPECT_EQ(second.sequence, 2u);
  EXPECT_FALSE(first.duplicate);
}

asio::awaitable<void> reads_what_was_written(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  std::string const bytes("\0\xff{\r\n}", 6);
  auto before = stage.time().now();
  must(co_await bus->publish({.subject = "a.x", .body = bytes, .head = {{"Colour", "red or blue"}, {"ce-id", "7"}}, .id = "one"}));
  must(co_await bus->publish({.subject = "a.empty"}));
  auto read = must(co_await bus->last("a", "a.x"));
  if (!read) throw broken("the message is not there");
  EXPECT_EQ(read->subject, "a.x");
  EXPECT_EQ(read->body, bytes);
  EXPECT_EQ(read->sequence, 1u);
  EXPECT_EQ(header(read->head, "colour"), "red or blue");
  EXPECT_EQ(header(read->head, "CE-ID"), "7");
  EXPECT_EQ(header(read->head, "Nats-Msg-Id"), "one");
  EXPECT_GE(read->time, before - 1s);
  EXPECT_LE(read->time, stage.time().now() + 1s);
  auto empty = must(co_await bus->at("a", 2));
  EXPECT_TRUE(empty && empty->body.empty() && empty->head.empty());
}

asio::awaitable<void> last_is_the_newest(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  for (auto subject : {"a.x.1", "a.x.2", "a.x.1", "a.y"}) must(co_await bus->publish({.subject = subject, .body = subject}));
  auto sequence_of = [](std::optional<stored> const& one) { return one ? one->sequence : 0; };
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", "a.x.1"))), 3u);
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", "a.x.2"))), 2u);
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", "a.x.*"))), 3u);
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", "a.>"))), 4u);
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", "a.none"))), 0u);
  EXPECT_TRUE(must(co_await bus->erase("a", 4)));
  EXPECT_EQ(sequence_of(must(co_await bus->last("a", ">"))), 3u);
}

asio::awaitable<void> erase_removes_one(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  for (auto body : {"1", "2"}) must(co_await bus->publish({.subject = "a.x", .body = body}));
  EXPECT_TRUE(must(co_await bus->erase("a", 2)));
  EXPECT_FALSE(must(co_await bus->erase("a", 2)));
  EXPECT_FALSE(must(co_await bus->at("a", 2)));
  auto last = must(co_await bus->last("a", "a.x"));
  EXPECT_TRUE(last && last->sequence == 1);
  EXPECT_EQ(must(co_await bus->publish({.subject = "a.x", .body = "3"})).sequence, 3u);
}

asio::awaitable<void> creates_once(stage& stage) {
  auto* bus = co_await stage.connect();
  auto* rival = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  must(co_await bus->publish({.subject = "a.other", .body = "0"}));
  EXPECT_EQ(must(co_await bus->publish({.subject = "a.x", .body = "1", .expected = 0})).sequence, 2u);
  auto lost = co_await rival->publish({.subject = "a.x", .body = "2", .expected = 0});
  EXPECT_EQ(kind_of(lost), failure::wrong_sequence);
  EXPECT_EQ(lost.error().actual, 2u);
  EXPECT_EQ(must(co_await bus->last("a", "a.x"))->body, "1");
}

asio::awaitable<void> compares_and_sets(stage& stage) {
  auto* bus = co_await stage.connect();
  auto* rival = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto first = must(co_await bus->publish({.subject = "a.x", .body = "1", .expected = 0}));
  must(co_await bus->publish({.subject = "a.y", .body = "other subjects do not count"}));
  auto second = must(co_await bus->publish({.subject = "a.x", .body = "2", .expected = first.sequence}));
  auto stale = co_await rival->publish({.subject = "a.x", .body = "3", .expected = first.sequence});
  EXPECT_EQ(kind_of(stale), failure::wrong_sequence);
  EXPECT_EQ(stale.error().actual, second.sequence);
  must(co_await rival->publish({.subject = "a.x", .body = "4", .expected = second.sequence}));
}

asio::awaitable<void> stores_an_id_once(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.duplicates = 1s;
  must(co_await bus->ensure(config));
  auto first = must(co_await bus->publish({.subject = "a.x", .body = "1", .id = "same"}));
  auto again = must(co_await bus->publish({.subject = "a.x", .body = "1", .id = "same"}));
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.sequence, first.sequence);
  EXPECT_TRUE(must(co_await bus->publish({.subject = "a.y", .body = "ids are the stream's", .id = "same"})).duplicate);
  EXPECT_FALSE(must(co_await bus->publish({.subject = "a.x", .body = "2", .id = "another"})).duplicate);
  co_await stage.time().sleep_for(2500ms);
  EXPECT_FALSE(must(co_await bus->publish({.subject = "a.x", .body = "3", .id = "same"})).duplicate);
}

asio::awaitable<void> a_repeated_write_is_its_own_winner(stage& stage) {
  auto* bus = co_await stage.connect();
  auto* after_a_crash = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto first = must(co_await bus->publish({.subject = "a.x", .body = "1", .id = "step", .expected = 0}));
  auto again = must(co_await after_a_crash->publish({.subject = "a.x", .body = "1", .id = "step", .expected = 0}));
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.sequence, first.sequence);
  EXPECT_EQ(kind_of(co_await bus->publish({.subject = "a.x", .body = "1", .id = "another step", .expected = 0})), failure::wrong_sequence);
  must(co_await bus->publish({.subject = "a.x", .body = "2", .id = "next step", .expected = first.sequence}));
  EXPECT_EQ(must(co_await bus->info("a")).messages, 2u);
}

asio::awaitable<void> expires_by_ttl(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.allow_ttl = true;
  must(co_await bus->ensure(config));
  must(co_await bus->publish({.subject = "a.x", .body = "brief", .ttl = 2s}));
  must(co_await bus->publish({.subject = "a.y", .body = "stays"}));
  co_await stage.time().sleep_for(1s);
  EXPECT_TRUE(must(co_await bus->last("a", "a.x")));
  co_await stage.time().sleep_for(3s);
  EXPECT_FALSE(must(co_await bus->last("a", "a.x")));
  EXPECT_TRUE(must(co_await bus->last("a", "a.y")));
  EXPECT_TRUE(co_await bus->publish({.subject = "a.x", .body = "again", .expected = 0}));
}

asio::awaitable<void> ttl_needs_a_stream_that_allows_it(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  EXPECT_EQ(kind_of(co_await bus->publish({.subject = "a.x", .body = "brief", .ttl = 2s})), failure::refused);
}

asio::awaitable<void> rollup_replaces_its_subject(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.allow_rollup = true;
  must(co_await bus->ensure(config));
  for (auto subject : {"a.x", "a.x", "a.y"}) must(co_await bus->publish({.subject = subject, .body = "old"}));
  must(co_await bus->publish({.subject = "a.x", .body = "the last word", .rollup = true}));
  EXPECT_EQ(must(co_await bus->info("a")).messages, 2u);
  EXPECT_EQ(must(co_await bus->last("a", "a.x"))->body, "the last word");
  EXPECT_TRUE(must(co_await bus->at("a", 3)));
}

asio::awaitable<void> keeps_the_newest_of_a_subject(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.max_per_subject = 2;
  must(co_await bus->ensure(config));
  for (auto body : {"1", "2", "3"}) must(co_await bus->publish({.subject = "a.x", .body = body}));
  must(co_await bus->publish({.subject = "a.y", .body = "1"}));
  EXPECT_EQ(must(co_await bus->info("a")).messages, 3u);
  EXPECT_FALSE(must(co_await bus->at("a", 1)));
}

asio::awaitable<void> a_full_subject_pushes_back(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = queue("a");
  config.discard = stream_config::discard_policy::fresh;
  config.max_per_subject = 1;
  config.discard_new_per_subject = true;
  must(co_await bus->ensure(config));
  auto first = must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  auto second = co_await bus->publish({.subject = "a.x", .body = "2"});
  EXPECT_EQ(kind_of(second), failure::limit);
  EXPECT_TRUE(!second && is_pending_already(second.error()));
  must(co_await bus->publish({.subject = "a.y", .body = "1"}));
  EXPECT_TRUE(must(co_await bus->erase("a", first.sequence)));
  must(co_await bus->publish({.subject = "a.x", .body = "3"}));
}

asio::awaitable<void> a_full_stream_pushes_back(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.discard = stream_config::discard_policy::fresh;
  config.max_bytes = 4096;
  must(co_await bus->ensure(config));
  std::optional<error> refusal;
  for (int i = 0; i < 10 && !refusal; ++i)
    if (auto sent = co_await bus->publish({.subject = "a." + std::to_string(i), .body = std::string(1000, 'x')}); !sent)
      refusal = sent.error();
  EXPECT_TRUE(refusal && is_out_of_bytes(*refusal) && !is_pending_already(*refusal)) << (refusal ? refusal->text : "nothing was refused");
  EXPECT_TRUE(must(co_await bus->at("a", 1)));
  EXPECT_TRUE(must(co_await bus->erase("a", 1)));
  must(co_await bus->publish({.subject = "a.later", .body = std::string(900, 'x')}));
}

asio::awaitable<void> refuses_what_is_too_large(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  config.max_message = 100;
  must(co_await bus->ensure(config));
  EXPECT_EQ(kind_of(co_await bus->publish({.subject = "a.x", .body = std::string(101, 'x')})), failure::too_large);
  EXPECT_EQ(must(co_await bus->info("a")).messages, 0u);
}

/// Refused at once, although the stream would accept it: no retry helps.
asio::awaitable<void> refuses_what_no_server_takes(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto before = stage.time().now();
  auto refused = co_await bus->publish({.subject = "a.x", .body = std::string(5 << 20, 'x')});
  EXPECT_EQ(kind_of(refused), failure::too_large);
  EXPECT_LT(stage.time().now() - before, 2s);
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
}

asio::awaitable<void> nobody_owns_the_subject(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto lost = co_await bus->publish({.subject = "b.x", .body = "1"});
  EXPECT_EQ(kind_of(lost), failure::no_responders);
  EXPECT_NE(lost.error().text.find("b.x"), std::string::npos) << lost.error().text;
}

}  // namespace

std::vector<named_check> publish_checks() {
  return {{"PublishCountsItsStream", counts_its_stream},
          {"ReadsWhatWasWritten", reads_what_was_written},
          {"LastIsTheNewest", last_is_the_newest},
          {"EraseRemovesOne", erase_removes_one},
          {"ExpectedZeroCreatesOnce", creates_once},
          {"CompareAndSetIsBySubject", compares_and_sets},
          {"AnIdIsStoredOnceInItsWindow", stores_an_id_once},
          {"ARepeatedWriteIsItsOwnWinner", a_repeated_write_is_its_own_winner},
          {"TtlExpires", expires_by_ttl},
          {"TtlNeedsAStreamThatAllowsIt", ttl_needs_a_stream_that_allows_it},
          {"RollupReplacesItsSubject", rollup_replaces_its_subject},
          {"KeepsTheNewestOfASubject", keeps_the_newest_of_a_subject},
          {"AFullSubjectPushesBack", a_full_subject_pushes_back},
          {"AFullStreamPushesBack", a_full_stream_pushes_back},
          {"RefusesWhatIsTooLarge", refuses_what_is_too_large},
          {"RefusesWhatNoServerTakes", refuses_what_no_server_takes},
          {"NobodyOwnsTheSubject", nobody_owns_the_subject}};
}

}  // namespace kopiur::bus::conformance
