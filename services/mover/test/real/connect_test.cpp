#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;
class Connect : public lab {};

TEST_F(Connect, SaysThatNothingIsThereAndMakesItOnlyWhenAsked) {
  auto without = run(proto::connect_work{});
  EXPECT_EQ(without.failed(), NotInitialized) << ::testing::PrintToString(without);
  EXPECT_FALSE(fs::exists(root_ / "repository/kopia.repository.f"));
  auto ended = run(proto::connect_work{proto::create_behavior{.enabled = true}});
  ASSERT_EQ(ended.status, 0) << ::testing::PrintToString(ended);
  EXPECT_TRUE(ended.result.created);
  EXPECT_LE(ended.result.opens, 5);
  EXPECT_EQ(ended.result.unique_ID->size(), 64U);
  auto again = run(proto::connect_work{proto::create_behavior{.enabled = true}});
  EXPECT_FALSE(again.result.created);
  EXPECT_EQ(again.result.unique_ID, ended.result.unique_ID);
  EXPECT_LE(again.result.opens, 5);
}

TEST_F(Connect, MakesWithTheAlgorithmsAskedFor) {
  auto made = run(proto::connect_work{proto::create_behavior{.enabled = true,
                                                             .encryption = "CHACHA20-POLY1305-HMAC-SHA256",
                                                             .hash = "BLAKE3-256",
                                                             .splitter = "FIXED-1M",
                                                             .ecc = proto::error_correction{"REED-SOLOMON-CRC32", 2}}});
  ASSERT_EQ(made.status, 0) << ::testing::PrintToString(made);
  auto status = kopia({"repository", "status", "--json"}).out;
  for (auto* expected : {"CHACHA20-POLY1305-HMAC-SHA256", "BLAKE3-256", "FIXED-1M", "\"eccOverheadPercent\":2"})
    EXPECT_NE(status.find(expected), std::string::npos) << status;
}

TEST_F(Connect, RefusesAWrongOrMissingPassword) {
  create_repository();
  EXPECT_EQ(run(proto::connect_work{}, {.environment = {{"KOPIA_PASSWORD", "incorrect"}}}).failed(), WrongPassword);
  EXPECT_EQ(run(proto::connect_work{}, {.environment = {{"KOPIA_PASSWORD", ""}}}).failed(), PasswordMissing);
}

/// Trials, T4 and T5: an unfit password creates no repository. A repository that has one is still opened, and the result reports it.
TEST_F(Connect, MakesNoRepositoryWithWhatIsNoPassword) {
  auto connect = [&](variables variables) {
    return run(proto::connect_work{proto::create_behavior{.enabled = true}}, {.environment = std::move(variables)});
  };
  for (auto* each : {"\n", "${KOPIA_PASSWORD}", "change-me-before-the-first-backup"}) {
    auto refused = connect({{"KOPIA_PASSWORD", each}});
    EXPECT_EQ(refused.failed(), PasswordMissing) << each << ::testing::PrintToString(refused);
    EXPECT_FALSE(refused.result.failure->retryable);
  }
  EXPECT_EQ(connect({{"KOPIA_PASSWORD", "half"}, {"KOPIUR_PASSWORD_CUT", "1"}}).failed(), PasswordMissing);
  EXPECT_FALSE(fs::exists(root_ / "repository/kopia.repository.f"));
  create_repository();
  ASSERT_EQ(kopia({"repository", "change-password", "--new-password=${KOPIA_PASSWORD}"}).status, 0);
  auto opened = connect({{"KOPIA_PASSWORD", "${KOPIA_PASSWORD}"}});
  EXPECT_EQ(opened.status, 0) << ::testing::PrintToString(opened);
  EXPECT_TRUE(opened.result.password_unfit);
}

TEST_F(Connect, NeverCreatesOverAnotherPasswordsRepository) {
  create_repository();
  access_.unique_ID.reset();
  auto refused = run(proto::connect_work{proto::create_behavior{.enabled = true}}, {.environment = {{"KOPIA_PASSWORD", "incorrect"}}});
  EXPECT_EQ(refused.failed(), WrongPassword) << ::testing::PrintToString(refused);
}

TEST_F(Connect, NeverCreatesOverForeignData) {
  write_file(root_ / "repository/p12/345.f", "foreign");
  auto refused = run(proto::connect_work{proto::create_behavior{.enabled = true}});
  EXPECT_EQ(refused.failed(), LocationOccupied) << ::testing::PrintToString(refused);
  EXPECT_FALSE(refused.result.created);
}

TEST_F(Connect, NeverRecreatesAKnownRepository) {
  create_repository();
  fs::remove_all(root_ / "repository");
  fs::create_directory(root_ / "repository");
  auto refused = run(proto::connect_work{proto::create_behavior{.enabled = true}});
  EXPECT_EQ(refused.failed(), NotInitialized) << ::testing::PrintToString(refused);
  EXPECT_FALSE(fs::exists(root_ / "repository/kopia.repository.f"));
}

TEST_F(Connect, RefusesAnotherRepositoryThanThePinnedOne) {
  create_repository();
  access_.unique_ID = std::string(64, 'a');
  access_.cache_directory = root_ / "cache-2";
  auto refused = run(proto::connect_work{});
  EXPECT_EQ(refused.failed(), WrongRepository) << ::testing::PrintToString(refused);
}

// Two repositories, one password, one cache folder: plain kopia writes the second with the first's keys. Here the folder names its owner.
TEST_F(Connect, RefusesACacheFolderOfAnotherRepository) {
  create_repository();
  ASSERT_EQ(run(proto::connect_work{}).status, 0);  // records the owner of the cache folder
  fs::create_directory(root_ / "repository-2");
  access_.backend = proto::filesystem_backend{.path = root_ / "repository-2"};
  create_repository();
  auto refused = snapshot();
  EXPECT_EQ(refused.failed(), WrongRepository) << ::testing::PrintToString(refused);
  EXPECT_NE(refused.result.failure->message.find("belongs to repository"), std::string::npos);
  access_.cache_directory = root_ / "cache-2";
  EXPECT_EQ(snapshot().status, 0);
}

// The format blob and the listings are never in a shared cache: there they would reach another repository.
TEST_F(Connect, KeepsTheFormatOfARepositoryOutOfTheSharedCache) {
  create_repository();
  ASSERT_EQ(run(proto::connect_work{}).status, 0);
  EXPECT_TRUE(fs::exists(root_ / "cache/index-blobs"));
  EXPECT_FALSE(fs::exists(root_ / "cache/kopia.repository"));
  EXPECT_FALSE(fs::exists(root_ / "cache/kopia.blobcfg"));
  EXPECT_FALSE(fs::exists(root_ / "cache/blob-list"));
}

TEST_F(Connect, SaysThatAServerCannotBeReached) {
  access_.backend = proto::s3_backend{.bucket = "bucket", .endpoint = "127.0.0.1:1", .tls = proto::tls_options{.disable_tls = true}};
  environment_["AWS_ACCESS_KEY_ID"] = "AKIDEXAMPLE";
  environment_["AWS_SECRET_ACCESS_KEY"] = "wJalrXUtnFEMI";
  auto refused = run(proto::connect_work{});
  EXPECT_EQ(refused.failed(), Unreachable) << ::testing::PrintToString(refused);
  EXPECT_TRUE(refused.result.failure->retryable);
}

TEST_F(Connect, SaysThatKopiaIsMissingOrUntested) {
  EXPECT_EQ(run(proto::connect_work{}, {.environment = {{"KOPIUR_KOPIA", "/nonexistent/kopia"}}}).failed(), KopiaMissing);
  write_file(root_ / "old-kopia", "#!/bin/sh\necho 'v0.15.0 build: abc from: kopia/kopia'\n");
  fs::permissions(root_ / "old-kopia", fs::perms::owner_all);
  auto old = run(proto::connect_work{}, {.environment = {{"KOPIUR_KOPIA", root_ / "old-kopia"}}});
  EXPECT_EQ(old.failed(), KopiaUnsupported);
  EXPECT_NE(old.result.failure->message.find("0.15.0"), std::string::npos) << old.result.failure->message;
}

TEST_F(Connect, RefusesWorkThatItCannotReadWithAResult) {
  auto wrong = run(proto::snapshot_work{.path = "relative", .source = identity_});
  EXPECT_EQ(wrong.failed(), InvalidWork);
  EXPECT_EQ(wrong.status, 1);
}

}  // namespace
}  // namespace kopiur::mover::test
