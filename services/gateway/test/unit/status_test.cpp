#include "services/gateway/core/status.hpp"

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {
namespace {

using namespace std::chrono_literals;

instant const start = *instant_from("2026-11-21T06:00:00Z");

json::value parsed(std::string_view text) { return *json::parse(text); }
json::value backup(std::string_view status = "") {
  auto object = parsed(R"({"apiVersion":"g/v1","kind":"Backup","metadata":{"name":"b","namespace":"n","uid":"u","generation":3}})");
  if (!status.empty()) object.set("status", parsed(status));
  return object;
}
proto::status_fragment claim(std::string_view status, std::vector<proto::condition_fragment> conditions = {}, std::int64_t generation = 3) {
  return {.uid = "u",
          .made_from = {},
          .observed_generation = generation,
          .status = status.empty() ? json::value() : parsed(status),
          .conditions = std::move(conditions)};
}

TEST(ComposeStatus, MergesEachOwnersShare) {
  auto status =
      compose_status(backup(R"({"phase":"Pending","old":{"keep":1,"drop":2}})"),
                     {{"a", claim(R"({"phase":"Running","old":{"drop":null}})")}, {"b", claim(R"({"progress":{"percent":5}})")}}, start);
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, parsed(R"({"phase":"Running","old":{"keep":1},"progress":{"percent":5},"observedGeneration":3})"));
}

TEST(ComposeStatus, WritesNothingWhenNothingChanges) {
  status_fragments claims{{"a", claim(R"({"phase":"Running"})", {{"Ready", "True", "Done", "It is done."}})}};
  auto once = compose_status(backup(), claims, start);
  ASSERT_TRUE(once);
  EXPECT_EQ(compose_status(*with_status(backup(), *once), claims, start + 1h), std::nullopt);
  EXPECT_EQ(compose_status(backup(), {}, start), std::nullopt);
  EXPECT_EQ(compose_status(backup(), {{"a", claim("", {}, 0)}}, start), std::nullopt);
}

TEST(ComposeStatus, DropsClaimsForAnotherObjectOfTheName) {
  auto other = claim(R"({"phase":"Running"})");
  other.uid = "of the one before";
  EXPECT_EQ(compose_status(backup(), {{"a", other}}, start), std::nullopt);
}

TEST(ComposeStatus, OfTwoThatStateOneConditionTheNewerHolds) {
  auto fragment = [](proto::source from, std::string message) {
    auto one = claim("", {{"Ready", "True", "Done", std::move(message)}});
    one.made_from = from;
    return one;
  };
  auto holds = [](proto::status_fragment a, proto::status_fragment b) {
    auto status = *compose_status(backup(), {{"a", std::move(a)}, {"b", std::move(b)}}, start);
    return std::string(status.find("conditions")->as_array()->front().text("message"));
  };
  EXPECT_EQ(holds(fragment({5, start}, "first"), fragment({6, start}, "second")), "second");
  EXPECT_EQ(holds(fragment({6, start}, "first"), fragment({5, start}, "second")), "first");
  EXPECT_EQ(holds(fragment({305, start + 1h}, "first"), fragment({5, start}, "second")), "first");
  EXPECT_EQ(holds(fragment({5, start}, "first"), fragment({305, start + 1h}, "second")), "second");
}

TEST(ComposeStatus, MovesTheTransitionTimeWithTheStatusAlone) {
  auto first = *compose_status(backup(), {{"a", claim("", {{"Ready", "False", "Waiting", "m1"}})}}, start);
  auto reworded = *compose_status(*with_status(backup(), first), {{"a", claim("", {{"Ready", "False", "Waiting", "m2"}})}}, start + 1h);
  EXPECT_EQ(reworded.find("conditions")->as_array()->front().text("lastTransitionTime"), "2026-11-21T06:00:00Z");
  EXPECT_EQ(reworded.find("conditions")->as_array()->front().text("message"), "m2");
  auto turned = *compose_status(*with_status(backup(), reworded), {{"a", claim("", {{"Ready", "True", "Done", ""}})}}, start + 2h);
  EXPECT_EQ(turned.find("conditions")->as_array()->front().text("lastTransitionTime"), "2026-11-21T08:00:00Z");
}

TEST(ComposeStatus, NeverReordersConditions) {
  auto types = [](json::value const& status) {
    std::string all;
    for (auto const& each : *status.find("conditions")->as_array()) all += std::string(each.text("type")) + " ";
    return all;
  };
  auto first = *compose_status(backup(), {{"b", claim("", {{"Ready", "True", "r", ""}, {"Z", "True", "r", ""}})}}, start);
  auto second = *compose_status(
      *with_status(backup(), first),
      {{"a", claim("", {{"A", "True", "r", ""}})}, {"b", claim("", {{"Z", "False", "r", ""}, {"Ready", "True", "r", ""}})}}, start);
  EXPECT_EQ(types(first), "Ready Z ");
  EXPECT_EQ(types(second), "Ready Z A ");
}

TEST(ComposeStatus, TheOwnerOfReadySpeaksForTheGeneration) {
  auto status = *compose_status(
      backup(), {{"a", claim("", {{"Ready", "True", "r", ""}}, 2)}, {"b", claim(R"({"x":1})", {{"Z", "True", "r", ""}}, 3)}}, start);
  EXPECT_EQ(*status.find("observedGeneration")->as_int(), 2);
  EXPECT_EQ(*status.find("conditions")->as_array()->back().find("observedGeneration")->as_int(), 3);
}

}  // namespace
}  // namespace kopiur::gateway
