#include "services/gateway/kubernetes/jobs/co_location.hpp"

#include <gtest/gtest.h>

namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;
using nodes = std::vector<std::string>;

json::value parsed(std::string const& text) { return json::parse(text).value(); }
json::value claim(std::string const& name, std::string const& modes, std::string const& bound = "") {
  auto status = bound.empty() ? "{}" : R"({"accessModes":[)" + bound + "]}";
  return parsed(R"({"metadata":{"name":")" + name + R"("},"spec":{"accessModes":[)" + modes + R"(]},"status":)" + status + "}");
}
json::value pod(std::string const& name, std::string const& claim, std::string const& node, std::string const& phase = "Running",
                std::string const& run = "") {
  auto labels = run.empty() ? "{}" : R"({"kopiur.home-operations.com/run":")" + run + R"("})";
  return parsed(R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + R"(},"spec":{"nodeName":")" + node +
                R"(","volumes":[{"name":"tmp","emptyDir":{}},{"name":"v","persistentVolumeClaim":{"claimName":")" + claim +
                R"("}}]},"status":{"phase":")" + phase + R"("}})");
}
constexpr auto once = R"("ReadWriteOnce")", once_pod = R"("ReadWriteOncePod")", many = R"("ReadWriteMany")";

nodes where(json::array const& claims, json::array const& pods) { return placement_for(claims, pods, "ours").value().nodes; }

TEST(CoLocation, IsWhereAPodHasTheClaim) {
  EXPECT_EQ(where({claim("data", once)}, {pod("db", "data", "a")}), nodes{"a"});
  EXPECT_EQ(where({claim("data", once)}, {pod("db", "data", "a", "Pending")}), nodes{"a"}) << "it is being attached there";
  EXPECT_EQ(where({claim("data", once)}, {pod("db", "data", "a"), pod("other", "data", "b")}), (nodes{"a", "b"})) << "a volume that can";
  EXPECT_EQ(where({claim("data", once), claim("store", once)},
                  {pod("db", "data", "a"), pod("other", "data", "b"), pod("mover", "store", "b", "Running", "theirs")}),
            nodes{"b"});
}

TEST(CoLocation, IsAnywhereWhereNothingHoldsIt) {
  EXPECT_EQ(where({claim("data", once)}, {}), nodes{});
  EXPECT_EQ(where({claim("data", once)}, {pod("db", "other", "a")}), nodes{});
  EXPECT_EQ(where({claim("data", once)}, {pod("db", "data", "")}), nodes{}) << "it waits for a node itself";
  for (auto phase : {"Succeeded", "Failed"}) EXPECT_EQ(where({claim("data", once)}, {pod("db", "data", "a", phase)}), nodes{}) << phase;
  EXPECT_EQ(where({claim("data", many)}, {pod("db", "data", "a")}), nodes{});
  EXPECT_EQ(where({claim("data", once, many)}, {pod("db", "data", "a")}), nodes{}) << "its volume does more than was asked for";
  EXPECT_EQ(where({claim("data", once_pod)}, {pod("mover", "data", "a", "Running", "ours")}), nodes{}) << "asked again";
}

/// The node may be tainted for the pods that use the volume.
TEST(CoLocation, ToleratesWhatThePodsThereDo) {
  auto db = pod("db", "data", "a"), other = pod("other", "data", "a");
  auto taint = [](std::string const& key) { return parsed(R"({"key":")" + key + R"(","operator":"Exists"})"); };
  db.find("spec")->set("tolerations", json::array{taint("db"), taint("ssd")});
  other.find("spec")->set("tolerations", json::array{taint("ssd")});
  auto found = placement_for({claim("data", once)}, {db, other, pod("elsewhere", "store", "b")}, "ours").value();
  EXPECT_EQ(found.tolerations, (json::array{taint("db"), taint("ssd")}));
  EXPECT_TRUE(placement_for({claim("data", many)}, {db}, "ours").value().tolerations.empty()) << "it may be anywhere";
}

TEST(CoLocation, ARestoreWaitsForWhoUsesItsTarget) {
  auto said = [](json::array const& pods) {
    auto free = free_to_fill("data", pods);
    return free ? refusal{answer_code::Ok, ""} : free.error();
  };
  EXPECT_EQ(said({pod("web-0", "data", "a")}).code, answer_code::Unavailable);
  EXPECT_NE(said({pod("web-0", "data", "a")}).message.find("web-0 uses the claim data (TargetInUse)"), std::string::npos);
  EXPECT_EQ(said({pod("web-0", "data", "a", "Succeeded"), pod("web-1", "other", "a"), pod("web-2", "data", "")}).code, answer_code::Ok);
  EXPECT_EQ(said({pod("mover", "data", "a", "Running", "theirs")}).code, answer_code::Ok) << "leases exclude those";
}

TEST(CoLocation, IsRefusedWhereItCannotBe) {
  auto refused = [](json::array const& claims, json::array const& pods) {
    auto found = placement_for(claims, pods, "ours");
    return found ? refusal{answer_code::Ok, "taken"} : found.error();
  };
  auto alone = refused({claim("data", once_pod)}, {pod("mover", "data", "a", "Running", "theirs"), pod("db", "data", "a")});
  EXPECT_EQ(alone.code, answer_code::Invalid);
  EXPECT_EQ(alone.message,
            "The claim data is ReadWriteOncePod, and the pod db has it: stop that, or back up by copyMethod Snapshot or Clone.");
  EXPECT_EQ(refused({claim("data", once_pod)}, {pod("mover", "data", "a", "Running", "theirs")}).code, answer_code::Unavailable)
      << "it ends by itself";
  auto apart = refused({claim("data", once), claim("store", once)}, {pod("db", "data", "a"), pod("nas", "store", "b")});
  EXPECT_EQ(apart.code, answer_code::Invalid);
  EXPECT_NE(apart.message.find("db (a) and nas (b)"), std::string::npos) << apart.message;
  EXPECT_EQ(
      refused({claim("data", once), claim("store", once)}, {pod("db", "data", "a"), pod("mover", "store", "b", "Running", "theirs")}).code,
      answer_code::Unavailable);
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
