#include "services/systems/kopiur/rules/fitness.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/config/manifest.hpp"
#include "proto/codec.hpp"

namespace kopiur::rules {
namespace {

using namespace proto;

template <class Kind>
std::optional<std::string> judged(json::value const& manifest) {
  auto typed = json::decode<Kind>(manifest);
  EXPECT_TRUE(typed) << typed.error().where;
  return spec_unfit(Kind::info.kind, typed->metadata, json::encode(typed->spec));
}

/// The verdict for the kind in this list that the manifest has; counts matches.
template <class... Kind>
std::optional<std::string> judged_as(json::value const& manifest, int& seen) {
  std::optional<std::string> said;
  auto judge = [&]<class K>(std::type_identity<K>) {
    if (manifest.text("kind") == K::info.kind) ++seen, said = judged<K>(manifest);
  };
  (judge(std::type_identity<Kind>{}), ...);
  return said;
}

TEST(SpecFit, IsNotStatedOfWhatWouldBeTaken) {
  int seen = 0;
  for (auto& file : std::filesystem::directory_iterator(KOPIUR_SOURCE_DIR "/proto/test/good")) {
    auto said = judged_as<backup_config, repository, cluster_repository>(config::read_manifest_file(file.path())->front().content, seen);
    EXPECT_FALSE(said) << file.path() << ": " << *said;
  }
  EXPECT_GE(seen, 3);
}

TEST(SpecFit, TellsWhatANewObjectWouldBeRefusedFor) {
  auto manifest = config::read_manifest_file(KOPIUR_SOURCE_DIR "/proto/test/bad/backupconfig-compressor.yaml")->front().content;
  auto said = judged<backup_config>(manifest);
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->contains("spec.policy.compression.compressor: `ZSTD` is none of")) << *said;
}

/// A condition that is no longer stated would keep its last value.
TEST(Fitness, IsTakenBackOnceItWasStated) {
  EXPECT_FALSE(fitness("SpecFit", {}, "Why", std::nullopt));
  EXPECT_EQ(fitness("SpecFit", {}, "Why", "wrong")->status, "False");
  EXPECT_EQ(fitness("SpecFit", {{.type = "SpecFit"}}, "Why", "wrong")->status, "False");
  EXPECT_EQ(fitness("SpecFit", {{.type = "SpecFit"}}, "Why", std::nullopt)->status, "True");
}

}  // namespace
}  // namespace kopiur::rules
