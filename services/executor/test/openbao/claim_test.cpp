#include "services/executor/core/openbao/claim.hpp"

#include <gtest/gtest.h>

namespace kopiur::executor::openbao {
namespace {

request_identity const who{.name = "one", .uid = "uid-1", .operation = "op-1", .pod_name = "p", .pod_uid = "pod-1"};

json::value object(std::string status, std::string metadata = R"("uid":"uid-1")") {
  return json::parse(R"({"metadata":{)" + metadata + R"(},"status":)" + status + "}").value();
}

TEST(OpenBaoClaim, IsOpenForTheRightExecution) {
  for (std::string stage : {"Committed", "Created"})
    EXPECT_EQ(judge(object(R"({"execution":{"operationID":"op-1","stage":")" + stage + R"("}})"), who).is, standing::open);
  EXPECT_EQ(judge(object(R"({"execution":{"operationID":"op-1","stage":"Created"},"submissionClaim":null})"), who).is, standing::open);
}

TEST(OpenBaoClaim, IsNotForAnotherOne) {
  for (std::string status : {"{}", R"({"execution":{"operationID":"op-2","stage":"Created"}})", R"({"execution":{"operationID":"op-1"}})",
                             R"({"execution":{"operationID":"op-1","stage":"Unknown"}})"}) {
    auto found = judge(object(status), who);
    EXPECT_EQ(found.is, standing::mismatch) << status;
    EXPECT_NE(found.why, "");
  }
  std::string created = R"({"execution":{"operationID":"op-1","stage":"Created"}})";
  EXPECT_EQ(judge(object(created, R"("uid":"uid-2")"), who).is, standing::mismatch);
  EXPECT_EQ(judge(object(created, R"("uid":"uid-1","deletionTimestamp":"2026-11-30T00:00:00Z")"), who).is, standing::mismatch);
}

TEST(OpenBaoClaim, IsTakenByAnotherPodOrThisOne) {
  auto claimed = [](std::string pod) {
    return object(R"({"execution":{"operationID":"op-1","stage":"Created"},"submissionClaim":{"podUID":")" + pod + R"("}})");
  };
  EXPECT_EQ(judge(claimed("pod-2"), who).is, standing::taken);
  EXPECT_EQ(judge(claimed("pod-1"), who).is, standing::own);
  EXPECT_EQ(judge(claimed(""), who).is, standing::taken) << "also without a uid";
}

TEST(OpenBaoClaim, IsAConditionalPatch) {
  claim what{.pod_uid = "pod-1", .target = {.name = "bao-0"}, .digest = "sha256:1", .size = 5};
  what.claimed_at = instant_from("2026-11-30T12:00:00.25Z").value();
  EXPECT_EQ(
      json::dump(patch_of(what, who)),
      R"([{"op":"test","path":"/metadata/uid","value":"uid-1"},)"
      R"({"op":"test","path":"/status/execution/operationID","value":"op-1"},)"
      R"({"op":"test","path":"/status/submissionClaim","value":null},)"
      R"({"op":"add","path":"/status/submissionClaim","value":{"podUID":"pod-1","targetPodName":"bao-0","digest":"sha256:1","size":5,)"
      R"("claimedAt":"2026-11-30T12:00:00Z"}}])");
}

TEST(OpenBaoClaim, NamesTheContainer) {
  auto pod =
      json::parse(R"({"metadata":{"uid":"u"},"status":{"podIP":"10.0.0.1","containerStatuses":[{"name":"sidecar","containerID":"c1"},)"
                  R"({"name":"openbao","containerID":"c2"}]}})")
          .value();
  auto found = with_pod({.name = "bao-0"}, pod);
  EXPECT_EQ(found.uid + " " + found.ip + " " + found.container, "u 10.0.0.1 c2");
  found = with_pod({.name = "bao-0"}, json::value());
  EXPECT_EQ(found.name + found.uid + found.ip + found.container, "bao-0");
}

TEST(OpenBaoClaim, IsStoredOrNot) {
  claim what{.pod_uid = "pod-1", .target = {}, .digest = "sha256:1"};
  EXPECT_TRUE(has_claim(object(R"({"submissionClaim":{"podUID":"pod-1","digest":"sha256:1"}})"), what));
  EXPECT_FALSE(has_claim(object(R"({"submissionClaim":{"podUID":"pod-2","digest":"sha256:1"}})"), what));
  EXPECT_FALSE(has_claim(object("{}"), what)) << "its CRD does not have the field";
}

}  // namespace
}  // namespace kopiur::executor::openbao
