#include "services/executor/core/arguments.hpp"

#include <gtest/gtest.h>

#include "services/executor/core/object_name.hpp"

namespace kopiur::executor {
namespace {

snapshot_upload s3() {
  return {.snapshot_path = "/s.db", .storage_type = "S3", .key_prefix = "p", .aws_bucket = "box", .aws_region = "eu-west-1"};
}

TEST(Arguments, BelongToTheirStorageType) {
  EXPECT_EQ(problem_of(s3()), "");
  auto what = s3();
  what.aws_bucket.clear(), what.aws_region.clear();
  EXPECT_EQ(problem_of(what), "--storage-type S3 needs --aws-bucket, --aws-region.");
  what = s3(), what.azure_container = "c";
  EXPECT_EQ(problem_of(what), "--storage-type S3 does not take --azure-container.");
  what = s3(), what.azure_auth_type = "client-secret";
  EXPECT_EQ(problem_of(what), "") << "it has no meaning, and was always allowed";
  what = s3(), what.storage_type = "AzureBlob";
  EXPECT_EQ(problem_of(what), "--storage-type AzureBlob needs --azure-container, --azure-storage-account.");
}

TEST(Arguments, HaveASuffixThatFitsAKey) {
  auto problem = [](std::string suffix) {
    auto what = s3();
    what.key_suffix = std::move(suffix);
    return problem_of(what);
  };
  for (std::string fits : {"", "6f1b-4c2e.x_Y"}) EXPECT_EQ(problem(fits), "") << fits;
  for (std::string other : {"a/b", "a b", "\xC3\xA9"}) EXPECT_NE(problem(other), "") << other;
  EXPECT_NE(problem(std::string(129, 'a')), "");
}

TEST(ObjectName, HasSecondsAndASuffix) {
  auto when = instant_from("2026-11-21T06:00:00.999Z").value();
  EXPECT_EQ(object_key("a/b", when, ""), "a/b/1795240800.db");
  EXPECT_EQ(object_key("a/b//", when, "uid-1"), "a/b/1795240800-uid-1.db");
  EXPECT_EQ(object_key("/", when, ""), "1795240800.db");
  EXPECT_EQ(s3_url("box", "a/b.db"), "s3://box/a/b.db");
  snapshot_upload azure{.azure_container = "box", .azure_storage_account = "acct"};
  EXPECT_EQ(azure_url(azure, "a/b.db"), "https://acct.blob.core.windows.net/box/a/b.db");
  azure.endpoint = "https://acct.blob.core.usgovcloudapi.net/";
  EXPECT_EQ(azure_url(azure, "a/b.db"), "https://acct.blob.core.usgovcloudapi.net/box/a/b.db");
}

TEST(OneLine, FitsTheTerminationLog) {
  EXPECT_EQ(one_line("a\nb\tc\x7F."), "a b c .");
  auto text = one_line(std::string(1996, 'a') + "\xC3\xA9\xC3\xA9\xC3\xA9");
  EXPECT_EQ(text, std::string(1996, 'a') + "...") << "no half of a character";
}

}  // namespace
}  // namespace kopiur::executor
