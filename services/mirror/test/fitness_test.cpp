#include "services/mirror/core/fitness.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/config/manifest.hpp"
#include "proto/codec.hpp"

namespace kopiur::mirror {
namespace {

using namespace proto;

template <class Kind>
std::optional<condition_claim> judged(json::value const& manifest) {
  auto typed = json::decode<Kind>(manifest);
  EXPECT_TRUE(typed) << typed.error().where;
  return spec_unfit(Kind::info.kind, typed->metadata, json::encode(typed->spec));
}

TEST(SpecFit, IsNotStatedOfWhatWouldBeTaken) {
  int seen = 0;
  for (auto& file : std::filesystem::directory_iterator(KOPIUR_SOURCE_DIR "/proto/test/good")) {
    auto manifest = config::read_manifest_file(file.path())->front().content;
    auto kind = manifest.text("kind");
    auto said = kind == "BackupConfig"        ? judged<backup_config>(manifest)
                : kind == "Repository"        ? judged<repository>(manifest)
                : kind == "ClusterRepository" ? judged<cluster_repository>(manifest)
                                              : std::nullopt;
    EXPECT_FALSE(said) << file.path() << ": " << said->message;
    seen += kind == "BackupConfig" || kind.ends_with("Repository");
  }
  EXPECT_GE(seen, 3);
}

TEST(SpecFit, TellsWhatANewObjectWouldBeRefusedFor) {
  auto manifest = config::read_manifest_file(KOPIUR_SOURCE_DIR "/proto/test/bad/backupconfig-compressor.yaml")->front().content;
  auto said = judged<backup_config>(manifest);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->status, "False");
  EXPECT_TRUE(said->message.contains("spec.policy.compression.compressor: `ZSTD` is none of")) << said->message;
}

}  // namespace
}  // namespace kopiur::mirror
