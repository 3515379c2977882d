#include "services/executor/test/openbao/emulator.hpp"
#include "services/executor/test/openbao/real_stage.hpp"

namespace kopiur::executor::test {
namespace {

/// The cluster and the API server, for all tests.
struct stage {
  stage() {
    prepare_api();
    prepare_login(bao);
  }
  bao_cluster bao{"bao", {"127.0.1.1"}};
};

class RealStore : public BaoJobs, public ::testing::WithParamInterface<std::unique_ptr<emulator> (*)()> {
 protected:
  RealStore() {
    bao();
    prepare_job();
    use(ways_.front());
  }
  static bao_cluster& bao() {
    static stage one;
    return one.bao;
  }
  /// The Jobs that follow know the store in this way.
  void use(emulator::access const& way) {
    store_ = way.variables;
    fs::remove_all(folder_ / "credentials");
    fs::create_directory(folder_ / "credentials");
    for (auto& [key, value] : way.secret) write("credentials/" + key, value);
  }
  std::string digest_of(std::string key) { return "sha256:" + encoding::hex(blob::sha256(emulator_->get(std::move(key)))); }

  std::unique_ptr<emulator> emulator_ = GetParam()();
  std::vector<emulator::access> ways_ = emulator_->ways();
};

/// More than one part of an upload, and not.
TEST_P(RealStore, RestoresWhatWasBackedUp) {
  for (std::string size : {"small", "large"}) {
    for (int i = 0; size == "large" && i < 10; ++i) bao().write_secret("large-" + std::to_string(i), std::string(900'000, 'x'));
    for (auto& way : ways_) {
      use(way);
      bao().write_secret("a", "old");
      auto key = "a b/" + size + "-" + std::to_string(way.variables.size()) + ".snap";
      auto ended = back_up(bao(), key);
      EXPECT_EQ(ended.status, 0) << ended.err;
      auto line = json::parse(ended.out).value_or(json::value());
      EXPECT_EQ(line.text("digest"), digest_of(key));
      EXPECT_EQ(emulator_->get(key).size() > (8 << 20), size == "large");
      bao().write_secret("a", "new");
      ended = restore(bao(), make_restore(key), {{"RESTORE_EXPECTED_DIGEST", std::string(line.text("digest"))}});
      EXPECT_EQ(ended.status, 0) << ended.err;
      EXPECT_EQ(bao().read_secret("a"), "old");
    }
  }
}

TEST_P(RealStore, ABackupOverwritesNothing) {
  EXPECT_EQ(back_up(bao(), "one.snap").status, 0);
  auto precious = digest_of("one.snap");
  bao().write_secret("b", "another snapshot");
  auto ended = back_up(bao(), "one.snap");
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_TRUE(ended.err.contains("exists already, and nothing was overwritten")) << ended.err;
  EXPECT_EQ(digest_of("one.snap"), precious);
}

TEST_P(RealStore, SaysWhatIsMissing) {
  auto request = make_restore("none.snap");
  auto ended = restore(bao(), request);
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_TRUE(ended.err.contains("none.snap")) << ended.err;
  EXPECT_EQ(claim_of(request, "podUID"), "");
  for (int i = 0; i < 2; ++i) {
    ended = back_up(bao(), "x.snap", {{"BACKUP_BUCKET", "none"}});
    EXPECT_EQ(ended.status, 5) << "no bucket was made: " << ended.err;
    EXPECT_TRUE(ended.err.contains("Create the ")) << ended.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Gcs, RealStore, ::testing::Values(start_fake_gcs));
INSTANTIATE_TEST_SUITE_P(Azurite, RealStore, ::testing::Values(start_azurite));

}  // namespace
}  // namespace kopiur::executor::test
