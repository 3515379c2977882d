#include "services/gateway/core/status_swap.hpp"

#include "services/gateway/test/unit/stage.hpp"

namespace kopiur::gateway {
namespace {

json::value const object = parsed_json(R"({"status":{"kept":1,"lock":{"holder":"a","since":"then"}}})");

/// spec/etcd-backup.md B6.12: writers of one status overwrote each other.
TEST(StatusSwap, WritesOneFieldAndKeepsTheOthers) {
  auto all = swapped(object, {.object = {}, .path = {"lock"}, .expect = *object.at("status.lock"), .set = json::object{{"holder", "b"}}});
  ASSERT_TRUE(all.status);
  EXPECT_EQ(json::dump(*all.status), R"({"kept":1,"lock":{"holder":"b"}})") << "the field is replaced, not merged";
  auto gone = swapped(object, {.object = {}, .path = {"lock", "holder"}, .expect = {}, .whatever = true, .set = {}});
  ASSERT_TRUE(gone.status);
  EXPECT_EQ(json::dump(*gone.status), R"({"kept":1,"lock":{"since":"then"}})");
  auto fresh = swapped(parsed_json("{}"), {.object = {}, .path = {"url"}, .expect = {}, .set = "s3://b/k"});
  ASSERT_TRUE(fresh.status);
  EXPECT_EQ(json::dump(*fresh.status), R"({"url":"s3://b/k"})");
}

TEST(StatusSwap, WritesOneItemOfAListByItsKey) {
  auto there = parsed_json(R"({"status":{"conditions":[{"type":"A","status":"True"},{"type":"B","status":"True"}]}})");
  auto swap = [&](std::vector<std::string> path, json::value set) {
    auto done = swapped(there, {.object = {}, .path = std::move(path), .expect = {}, .whatever = true, .set = std::move(set)});
    return done.status ? json::dump(*done.status->find("conditions")) : "nothing";
  };
  json::value no_b = json::object{{"type", "B"}, {"status", "False"}}, c = json::object{{"type", "C"}};
  EXPECT_EQ(swap({"conditions", "type=B"}, no_b), R"([{"type":"A","status":"True"},{"type":"B","status":"False"}])");
  EXPECT_EQ(swap({"conditions", "type=C"}, c), R"([{"type":"A","status":"True"},{"type":"B","status":"True"},{"type":"C"}])");
  EXPECT_EQ(swap({"conditions", "type=A"}, {}), R"([{"type":"B","status":"True"}])");
  EXPECT_EQ(swap({"conditions", "type=D"}, {}), "nothing") << "it is absent already";
  there = parsed_json("{}");
  EXPECT_EQ(swap({"conditions", "type=C"}, c), R"([{"type":"C"}])");
}

/// spec/openbao-restore.md A6.9.
TEST(StatusSwap, NeverReplacesWhatWasNotExpected) {
  auto taken = swapped(object, {.object = {}, .path = {"lock"}, .expect = {}, .set = json::object{{"holder", "b"}}});
  EXPECT_FALSE(taken.expected);
  EXPECT_FALSE(taken.status);
  EXPECT_EQ(taken.found.text("holder"), "a");
  EXPECT_FALSE(swapped(object, {.object = {}, .path = {}, .expect = {}, .whatever = true, .set = {}}).expected) << "never a whole status";
}

/// A lock is renewed by its holder, who does not know the exact time in it.
TEST(StatusSwap, ComparesTheNamedMembersAlone) {
  auto swap = [&](json::value expect, json::value set) {
    return swapped(object, {.object = {}, .path = {"lock"}, .expect = std::move(expect), .by = {"holder"}, .set = std::move(set)});
  };
  auto renewed = swap(json::object{{"holder", "a"}, {"since", "whenever"}}, json::object{{"holder", "a"}, {"since", "now"}});
  ASSERT_TRUE(renewed.status);
  EXPECT_EQ(renewed.status->text("lock.since"), "now");
  EXPECT_FALSE(swap(json::object{{"holder", "b"}}, {}).expected);
  EXPECT_FALSE(swap({}, json::object{{"holder", "b"}}).expected) << "null expects that there is no lock";
  auto absent =
      swapped(parsed_json("{}"), {.object = {}, .path = {"lock"}, .expect = json::object{{"holder", ""}}, .by = {"holder"}, .set = "x"});
  EXPECT_FALSE(absent.expected) << "a field that is absent has no holder, not even an empty one";
}

TEST(StatusSwap, WritesNothingThatIsSoAlready) {
  auto same = swapped(object, {.object = {}, .path = {"lock"}, .expect = {}, .set = *object.at("status.lock")});
  EXPECT_TRUE(same.expected) << "its own answer may have been lost";
  EXPECT_FALSE(same.status);
}

}  // namespace
}  // namespace kopiur::gateway
