#include "services/gateway/core/status_swap.hpp"

#include "services/gateway/test/unit/stage.hpp"

namespace kopiur::gateway {
namespace {

json::value const object = parsed_json(R"({"status":{"kept":1,"lock":{"holder":"a","since":"then"}}})");

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

TEST(StatusSwap, NeverReplacesWhatWasNotExpected) {
  auto taken = swapped(object, {.object = {}, .path = {"lock"}, .expect = {}, .set = json::object{{"holder", "b"}}});
  EXPECT_FALSE(taken.expected);
  EXPECT_FALSE(taken.status);
  EXPECT_EQ(taken.found.text("holder"), "a");
  EXPECT_FALSE(swapped(object, {.object = {}, .path = {}, .expect = {}, .whatever = true, .set = {}}).expected) << "never a whole status";
}

TEST(StatusSwap, WritesNothingThatIsSoAlready) {
  auto same = swapped(object, {.object = {}, .path = {"lock"}, .expect = {}, .set = *object.at("status.lock")});
  EXPECT_TRUE(same.expected) << "its own answer may have been lost";
  EXPECT_FALSE(same.status);
}

}  // namespace
}  // namespace kopiur::gateway
