#include <gtest/gtest.h>

#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/pod_security.hpp"

/// The security of a mover's pod after every merge.
namespace kopiur::gateway::kubernetes {
namespace {

pod_settings const pods{.image = "kopiur-mover:1", .seal_secret = "of this installation"};

/// The spec of a pod whose BackupConfig has these mover options.
json::value pod_of(std::string const& mover) {
  proto::create_job command{.run = "backup-1", .attempt = 1, .namespace_ = "media"};
  proto::kopia_of(command).run = "backup-1";
  proto::kopia_of(command).repository = proto::repository_access{.backend = proto::filesystem_backend{.path = "/"}};
  proto::kopia_of(command).task = proto::snapshot_work{.path = "{{source}}"};
  command.volumes = {{.name = "source", .claim_namespace = "media", .claim_name = "photos"}};
  command.pod = json::read<proto::pod_options>(mover).value();
  return *job_manifest(command, pods).value().at("spec.template.spec");
}
json::value namespace_with(json::object annotations) {
  return json::object{{"metadata", json::object{{"name", "media"}, {"annotations", std::move(annotations)}}}};
}
/// The sentence that refuses it in a namespace with those annotations; empty: allowed.
std::string refusal_of(std::string const& mover, json::object annotations = {}) {
  auto beyond = beyond_restricted(pod_of(mover));
  auto may = beyond.empty() ? outcome<void>() : consent(namespace_with(std::move(annotations)), beyond);
  return may ? "" : may.error().message;
}
std::string with_consent(std::string const& mover) { return refusal_of(mover, {{ours("privileged-movers"), "true"}}); }

struct elevation {
  char const *mover, *named;
};

void PrintTo(elevation const& one, std::ostream* out) { *out << one.mover; }

class Elevated : public testing::TestWithParam<elevation> {};

TEST_P(Elevated, MoverNeedsTheNamespacesConsent) {
  auto said = refusal_of(GetParam().mover);
  EXPECT_NE(said.find(GetParam().named), std::string::npos) << said;
  EXPECT_NE(said.find("annotated with kopiur.home-operations.com/privileged-movers: \"true\""), std::string::npos) << said;
  EXPECT_NE(said.find("namespace media "), std::string::npos) << said;
  EXPECT_EQ(with_consent(GetParam().mover), "");
}

constexpr elevation of_a_pod[] = {
    {R"({"podSecurityContext":{"runAsNonRoot":null}})", "mover.podSecurityContext.runAsNonRoot is missing and has to be true"},
    {R"({"podSecurityContext":{"runAsNonRoot":false}})", "mover.podSecurityContext.runAsNonRoot is false"},
    {R"({"podSecurityContext":{"seccompProfile":null}})", "mover.podSecurityContext.seccompProfile is missing"},
    {R"({"podSecurityContext":{"seccompProfile":{"type":null}}})", "mover.podSecurityContext.seccompProfile is {}"},
    {R"({"podSecurityContext":{"seccompProfile":{"type":"Unconfined"}}})", R"(seccompProfile is {"type":"Unconfined"})"},
    {R"({"podSecurityContext":{"seccompProfile":{"type":"RuntimeDefault","profile":"x"}}})", "mover.podSecurityContext.seccompProfile is"},
    {R"({"podSecurityContext":{"runAsUser":0}})", "mover.podSecurityContext.runAsUser is 0 and has to be a user id above 0"},
    {R"({"podSecurityContext":{"runAsUser":4294967296}})", "mover.podSecurityContext.runAsUser is 4294967296"},
    {R"({"podSecurityContext":{"runAsUser":"0"}})", R"(mover.podSecurityContext.runAsUser is "0")"},
    {R"({"podSecurityContext":{"fsGroup":-1}})", "mover.podSecurityContext.fsGroup is -1"},
    {R"({"podSecurityContext":{"supplementalGroups":["0"]}})", "mover.podSecurityContext.supplementalGroups is"},
    {R"({"podSecurityContext":{"supplementalGroupsPolicy":"Other"}})", "mover.podSecurityContext.supplementalGroupsPolicy is"},
    {R"({"podSecurityContext":{"fsGroupChangePolicy":"Never"}})", "mover.podSecurityContext.fsGroupChangePolicy is"},
    {R"({"podSecurityContext":{"seLinuxChangePolicy":"Other"}})", "mover.podSecurityContext.seLinuxChangePolicy is"},
    {R"({"podSecurityContext":{"seLinuxOptions":{"type":"spc_t"}}})", R"(mover.podSecurityContext.seLinuxOptions is {"type":"spc_t"})"},
    {R"({"podSecurityContext":{"seLinuxOptions":{"user":"system_u"}}})", "mover.podSecurityContext.seLinuxOptions is"},
    {R"({"podSecurityContext":{"seLinuxOptions":{"role":"system_r"}}})", "mover.podSecurityContext.seLinuxOptions is"},
    {R"({"podSecurityContext":{"appArmorProfile":{"type":"Unconfined"}}})", "mover.podSecurityContext.appArmorProfile is"},
    {R"({"podSecurityContext":{"sysctls":[{"name":"kernel.msgmax","value":"1"}]}})", "mover.podSecurityContext.sysctls is"},
    {R"({"podSecurityContext":{"windowsOptions":{"hostProcess":true}}})", "mover.podSecurityContext.windowsOptions is"},
    {R"({"podSecurityContext":{"hostPID":true}})", "mover.podSecurityContext.hostPID is true and is not a field that movers may set"},
    {R"({"podSecurityContext":{"privileged":false}})", "mover.podSecurityContext.privileged is false and is not a field"},
    {R"({"podSecurityContext":{"newInANewerKubernetes":1}})", "mover.podSecurityContext.newInANewerKubernetes is 1"},
    {R"({"podSecurityContext":[]})", "mover.podSecurityContext is [] and has to be an object"},
};
constexpr elevation of_a_container[] = {
    {R"({"securityContext":{"allowPrivilegeEscalation":null}})", "mover.securityContext.allowPrivilegeEscalation is missing"},
    {R"({"securityContext":{"allowPrivilegeEscalation":true}})", "mover.securityContext.allowPrivilegeEscalation is true"},
    {R"({"securityContext":{"readOnlyRootFilesystem":null}})", "mover.securityContext.readOnlyRootFilesystem is missing"},
    {R"({"securityContext":{"readOnlyRootFilesystem":false}})", "mover.securityContext.readOnlyRootFilesystem is false"},
    {R"({"securityContext":{"capabilities":null}})", "mover.securityContext.capabilities is missing"},
    {R"({"securityContext":{"capabilities":{"drop":null}}})", "mover.securityContext.capabilities is {}"},
    {R"({"securityContext":{"capabilities":{"drop":[]}}})", "mover.securityContext.capabilities is"},
    {R"({"securityContext":{"capabilities":{"drop":"ALL"}}})", "mover.securityContext.capabilities is"},
    {R"({"securityContext":{"capabilities":{"add":["SYS_ADMIN"]}}})", "mover.securityContext.capabilities is"},
    {R"({"securityContext":{"capabilities":{"add":["DAC_READ_SEARCH"]}}})", R"({"drop":["ALL"],"add":["DAC_READ_SEARCH"]})"},
    {R"({"securityContext":{"capabilities":{"add":["NET_BIND_SERVICE"]}}})", "mover.securityContext.capabilities is"},
    {R"({"securityContext":{"capabilities":{"other":[]}}})", "mover.securityContext.capabilities is"},
    {R"({"securityContext":{"privileged":true}})", "mover.securityContext.privileged is true"},
    {R"({"securityContext":{"runAsNonRoot":false}})", "mover.securityContext.runAsNonRoot is false"},
    {R"({"securityContext":{"runAsUser":0}})", "mover.securityContext.runAsUser is 0"},
    {R"({"securityContext":{"runAsGroup":-1}})", "mover.securityContext.runAsGroup is -1"},
    {R"({"securityContext":{"seccompProfile":{"type":"Unconfined"}}})", "mover.securityContext.seccompProfile is"},
    {R"({"securityContext":{"appArmorProfile":{"type":"Unconfined"}}})", "mover.securityContext.appArmorProfile is"},
    {R"({"securityContext":{"seLinuxOptions":{"type":"spc_t"}}})", "mover.securityContext.seLinuxOptions is"},
    {R"({"securityContext":{"procMount":"Unmasked"}})", "mover.securityContext.procMount is"},
    {R"({"securityContext":{"windowsOptions":{}}})", "mover.securityContext.windowsOptions is"},
    {R"({"securityContext":{"newInANewerKubernetes":true}})", "mover.securityContext.newInANewerKubernetes is true"},
    {R"({"privilegedMode":true})", "mover.securityContext.privileged is true and has to be false, and mover.privilegedMode absent"},
    {R"({"privilegedMode":true,"securityContext":{"privileged":null,"runAsUser":1000,"runAsNonRoot":true}})", "capabilities is missing"},
};
INSTANTIATE_TEST_SUITE_P(Pod, Elevated, testing::ValuesIn(of_a_pod));
INSTANTIATE_TEST_SUITE_P(Container, Elevated, testing::ValuesIn(of_a_container));

TEST(PodSecurity, OrdinaryMoversNeedNoConsent) {
  for (
      auto mover : {
          R"({})",
          R"({"resources":{"limits":{"memory":"1Gi"}},"cache":{"storageClassName":"fast"}})",
          R"({"podSecurityContext":{"runAsUser":1000,"runAsGroup":1000,"fsGroup":1000,"supplementalGroups":[0,44,1001]}})",
          R"({"podSecurityContext":{"fsGroupChangePolicy":"Always","supplementalGroupsPolicy":"Strict","seLinuxChangePolicy":"MountOption"}})",
          R"({"podSecurityContext":{"runAsUser":null,"runAsGroup":null,"fsGroup":null}})",
          R"({"podSecurityContext":{"seccompProfile":{"type":"Localhost","localhostProfile":"movers.json"}}})",
          R"({"podSecurityContext":{"seLinuxOptions":{"level":"s0:c123,c456","type":"container_t"},"appArmorProfile":{"type":"RuntimeDefault"}}})",
          R"({"securityContext":{"runAsUser":1000,"runAsNonRoot":true,"privileged":false,"seccompProfile":{"type":"RuntimeDefault"}}})",
          R"({"securityContext":{"capabilities":{"drop":["ALL"],"add":[]},"procMount":null}})",
      })
    EXPECT_EQ(refusal_of(mover), "") << mover;
}

TEST(PodSecurity, OnlyTheWordTrueIsConsent) {
  auto privileged = R"({"privilegedMode":true})";
  EXPECT_NE(refusal_of(privileged, {{ours("privileged-movers"), "false"}}), "");
  EXPECT_NE(refusal_of(privileged, {{ours("privileged-movers"), ""}}), "");
  EXPECT_NE(refusal_of(privileged, {{"privileged-movers", "true"}}), "");
}

TEST(PodSecurity, JudgesEachContainerAndAPodThatSaysNothing) {
  EXPECT_EQ(beyond_restricted(json::value()).size(), 2u) << "it is the cluster's defaults that a pod gets then";
  auto pod = pod_of("{}");
  pod.find("containers")->push(json::object{{"name", "second"}});
  EXPECT_EQ(beyond_restricted(pod).size(), 3u);
}

TEST(PodSecurity, ARefusalStaysShort) {
  std::string fields;
  for (int i = 0; i < 500; ++i)
    fields += (fields.empty() ? "\"" : ",\"") + std::string(100, 'x') + std::to_string(i) + "\":\"" + std::string(500, 'y') + "\"";
  auto said = refusal_of(R"({"podSecurityContext":{)" + fields + "}}");
  EXPECT_NE(said.find("; and 495 more. Change"), std::string::npos) << said;
  EXPECT_LT(said.size(), 1500u);
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
