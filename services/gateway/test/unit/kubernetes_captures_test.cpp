#include "services/gateway/kubernetes/volumes/captures.hpp"

#include <gtest/gtest.h>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

json::value parsed(std::string const& text) { return json::parse(text).value(); }

proto::capture const pair{.name = "capture-1", .group = "nightly-20261124-0300", .claims = {"data", "wal"}};

json::value group() {
  auto made = capture_manifest("media", pair);
  made.find("metadata")->set("uid", "uid-group");
  return made;
}
json::value member(std::string const& name, std::string const& claim, std::string const& owner) {
  return parsed(R"({"metadata":{"name":")" + name + R"(","ownerReferences":[{"kind":"VolumeGroupSnapshot","uid":")" + owner +
                R"("}]},"spec":{"source":{"persistentVolumeClaimName":")" + claim + R"("}}})");
}

TEST(Captures, SelectTheirClaimsByALabelOfTheirOwn) {
  auto made = capture_manifest("media", pair);
  EXPECT_EQ(json::dump(*made.find("spec")),
            R"({"source":{"selector":{"matchLabels":{"kopiur.home-operations.com/capture-1":"nightly-20261124-0300"}}}})");
  EXPECT_EQ(label(made, ours("run")), "capture-1") << "two Jobs of the group make one";
  EXPECT_FALSE(made.at("metadata.ownerReferences")) << "it goes with no single Backup";
}

TEST(Captures, HaveAMemberForEachClaim) {
  auto members =
      members_of({member("a", "data", "uid-group"), member("b", "wal", "uid-other"), parsed(R"({"metadata":{"name":"c"}})")}, group());
  ASSERT_EQ(members.size(), 1U);
  EXPECT_EQ(members.at("data").text("metadata.name"), "a");
  EXPECT_EQ(missing_in(group(), members), std::vector<std::string>{"wal"}) << "the other group's is not its own";
  members = members_of({member("a", "data", "uid-group"), member("b", "wal", "uid-group")}, group());
  EXPECT_EQ(missing_in(group(), members), std::vector<std::string>{});
}

TEST(Captures, ThatNobodyTakesUpSayWhy) {
  EXPECT_NE(not_yet(snapshot_state::ready, group()).value().find("CSIVolumeGroupSnapshot=true"), std::string::npos);
  auto seen = group();
  seen.set("status", json::object{{"error", json::object{{"message", "no default class"}}}});
  EXPECT_EQ(not_yet(snapshot_state::ready, seen), "the VolumeGroupSnapshot capture-1 is not ready yet: no default class");
  seen.set("status", json::object{{"readyToUse", true}});
  EXPECT_FALSE(not_yet(snapshot_state::ready, seen));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
