#include "services/mover/core/failure.hpp"

#include <gtest/gtest.h>

#include "common/json/codec.hpp"

namespace kopiur::mover {
namespace {

using enum proto::kopia_failure;

struct row {
  std::string_view text;
  activity doing;
  proto::kopia_failure means;
};

// Each text was printed by kopia 0.23.1.
constexpr row printed[] = {
    {"error connecting to repository: unable to create format manager: invalid repository password", activity::Connecting, WrongPassword},
    {"error connecting to repository: repository not initialized in the provided storage", activity::Connecting, NotInitialized},
    {"can't connect to storage: cannot access storage path: stat /mnt/none: no such file or directory", activity::Connecting,
     BackendMisconfigured},
    {"unable to get repository storage: found existing data in storage location", activity::Creating, LocationOccupied},
    {"can't connect to storage: error retrieving storage config from bucket \"b\": Get \"https://127.0.0.1:1/\": dial tcp 127.0.0.1:1: "
     "connect: connection refused",
     activity::Connecting, Unreachable},
    {"can't connect to storage: error retrieving storage config from bucket \"bkt\": The authorization header is malformed; the region "
     "\"us-east-1\" is wrong; expecting \"eu-west-9\"",
     activity::Connecting, BackendMisconfigured},
    {"password prompt error: inappropriate ioctl for device", activity::Connecting, PasswordMissing},
    {"required flag(s) '--access-key', '--secret-access-key' not provided", activity::Connecting, BackendMisconfigured},
    {"failed to prepare source: unable to get local filesystem entry: resolveSymlink: stat: lstat /s/none: no such file or directory",
     activity::Snapshotting, SourceMissing},
    {"Found 3 fatal error(s) while snapshotting app@prod:/pvc/data.", activity::Snapshotting, SourceUnreadable},
    {"error getting metadata for \"0123456789abcdef0123456789abcdef\": manifest 0123456789abcdef0123456789abcdef: not found",
     activity::Reading, SnapshotMissing},
    {"maintenance must be run by designated user: kopiur@x", activity::Maintaining, NotMaintenanceOwner},
    {"open repository: unable to open repository: cipher: message authentication failed", activity::Connecting, WrongRepository},
    {"no snapshots matched ID 0123", activity::Deleting, SnapshotMissing},
    {"write /repo/p/x.f.tmp.1: no space left on device", activity::Snapshotting, DiskFull},
    {"clock skew detected: local clock is out of sync with repository timestamp by more than allowed", activity::Connecting, ClockSkew},
    {"unable to restore: unable to open /t/x: permission denied", activity::Restoring, PermissionDenied},
    {"can't connect to storage: open /repo: permission denied", activity::Connecting, AccessDenied},
    {"BLOB not found", activity::Restoring, DataLost},
    {"error connecting to repository: invalid format blob: unexpected end of JSON input", activity::Connecting, LocationOccupied},
    {"something nobody ever saw", activity::Connecting, Unknown},
    {"", activity::Connecting, Unknown},
};

TEST(Classification, KnowsWhatKopiaPrints) {
  for (auto const& [text, doing, means] : printed) EXPECT_EQ(json::to_text(classify(text, doing)), json::to_text(means)) << text;
}

TEST(Classification, FindsTheCauseInMixedOutput) {
  auto text =
      "Snapshotting u@h:/x ...\n \x1b[31m! Error when processing \"a\"\nERROR upload: write p1: No space left on device\nflush error: "
      "gone\n";
  EXPECT_EQ(classify(text, activity::Snapshotting), DiskFull);
}

TEST(Failure, OfEveryClassHasAdviceAndSaysWhetherItMayBeTriedAgain) {
  boost::mp11::mp_for_each<boost::describe::describe_enumerators<proto::kopia_failure>>([](auto one) {
    auto made = failure(one.value, "What happened.");
    EXPECT_GT(made.message.size(), 30U) << one.name;
    EXPECT_EQ(made.message.back(), '.') << one.name;
    EXPECT_EQ(made.retryable, is_retryable(one.value)) << one.name;
  });
}

TEST(Failure, ThatNobodyKnowsIsToldInKopiasOwnWords) {
  EXPECT_NE(failure(Unknown, {}, "the moon is in the way").message.find("the moon is in the way"), std::string::npos);
  EXPECT_EQ(failure(WrongPassword, {}, "the moon is in the way").message.find("the moon"), std::string::npos);
}

TEST(Failure, HasAFullStopBetweenItsSentences) {
  EXPECT_TRUE(failure(Unreachable, "The server went away", "").message.starts_with("The server went away. The backend")) << "one is added";
  EXPECT_TRUE(failure(Unreachable, "The server went away.", "").message.starts_with("The server went away. The backend"));
  EXPECT_TRUE(failure(Unknown, "", "Retry again.").message.starts_with("kopia's last output: Retry again. kopiur does"));
}

TEST(LastLine, IsTheLastThatSaysSomething) {
  EXPECT_EQ(last_line("first\n ! second \n\n  \n"), "second");
  EXPECT_EQ(last_line(""), "");
  EXPECT_EQ(last_line("\n\n"), "");
}

TEST(Redaction, HidesSecretsAndUsersInUrls) {
  std::vector<std::string> secrets{"hunter22", "abc"};
  EXPECT_EQ(redacted("key hunter22 in hunter22x, abc", secrets), "key *** in ***x, abc");
  std::vector<std::string> nested{"hunter", "hunter22"};
  EXPECT_EQ(redacted("key hunter22", nested), "key ***") << "the rest of a longer secret is a secret too";
  EXPECT_EQ(redacted("Get \"https://me:pass@host/x@y\": refused", {}), "Get \"https://***@host/x@y\": refused");
}

}  // namespace
}  // namespace kopiur::mover
