#include "services/systems/kopiur/rules/identity.hpp"

#include <gtest/gtest.h>

namespace kopiur::rules {
namespace {

/// `username@hostname` of config `photos` of namespace `home`.
std::string rendered(std::string hostname, std::string username) {
  proto::cluster_repository shared;
  shared.spec.identity_defaults = proto::identity_templates{std::move(hostname), std::move(username)};
  any_repository sight{
      .kind = proto::repository_kind::ClusterRepository, .meta = &shared.metadata, .spec = &shared.spec.common, .cluster = &shared.spec};
  proto::backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  auto who = rendered_identity(config, sight, "/data");
  return who.username + "@" + who.hostname;
}

TEST(IdentityTemplate, IsRenderedHoweverItIsSpelled) {
  EXPECT_EQ(rendered("{{ namespace }}.a", "u-{{ configName }}"), "u-photos@home.a");
  EXPECT_EQ(rendered("{{.Namespace}}", "{{.ConfigName}}"), "photos@home");
  EXPECT_EQ(rendered("{{namespace }}", "{{   configName}}"), "photos@home") << "the schema takes any blanks";
  EXPECT_EQ(rendered("{{ namespace }}{{ namespace }}", "fixed"), "fixed@homehome");
}

}  // namespace
}  // namespace kopiur::rules
