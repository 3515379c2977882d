#include "services/executor/core/snapshot_place.hpp"

#include <gtest/gtest.h>

namespace kopiur::executor {
namespace {

using kind = snapshot_place::kind;

snapshot_place place(snapshot_check what) {
  auto found = place_of(what);
  EXPECT_TRUE(found) << found.error();
  return found.value_or(snapshot_place());
}
std::string problem(snapshot_check what) {
  auto found = place_of(what);
  EXPECT_FALSE(found) << what.url;
  return found ? "" : found.error();
}

TEST(SnapshotPlace, IsThatOfTheUrlThatAnUploadPrints) {
  EXPECT_EQ(place({.url = "s3://box/a/k 1?.db"}), (snapshot_place{.store = kind::s3, .container = "box", .key = "a/k 1?.db"}));
  snapshot_place azure{.store = kind::azure, .container = "box", .key = "a/k.db", .endpoint = "https://acct.blob.core.windows.net"};
  azure.account = "acct";
  EXPECT_EQ(place({.url = "https://Acct.blob.core.windows.net/box/a/k.db", .credentials_file = "f"}), azure);
  azure.endpoint = "https://acct.blob.core.usgovcloudapi.net";
  EXPECT_EQ(place({.url = azure.endpoint + "/box/a/k.db", .endpoint = azure.endpoint + "/"}), azure);
  azure.endpoint = "http://127.0.0.1:10000/acct";
  EXPECT_EQ(place({.url = azure.endpoint + "/box/a/k.db", .endpoint = azure.endpoint}), azure);
}

TEST(SnapshotPlace, IsAPlainUrlElsewhere) {
  for (std::string url : {"https://acct.blob.core.windows.net/box/k?sig=hunter2", "https://box.s3.amazonaws.com/k?X-Amz-Signature=hunter2",
                          "https://example.org/k.db", "http://127.0.0.1:1/k", "http://[::1]:1/k", "http://localhost/k"})
    EXPECT_EQ(place({.url = url}), snapshot_place()) << url;
}

TEST(SnapshotPlace, SendsCredentialsToNobodyElse) {
  for (std::string url : {"https://acct.blob.core.windows.net.example.org/box/k", "https://acct.blob.core.windows.net@example.org/box/k",
                          "https://example.org/acct.blob.core.windows.net/k", "https://a.b.blob.core.windows.net/box/k"})
    EXPECT_EQ(place({.url = url}).store, kind::plain) << url;
  EXPECT_TRUE(
      problem({.url = "https://store.example.org.evil/box/k", .endpoint = "https://store.example.org"}).contains("names no object"));
  EXPECT_TRUE(problem({.url = "https://other/box/k", .endpoint = "https://store"}).contains("does not begin with --endpoint"));
  auto said = problem({.url = "https://example.org/k?sig=hunter2", .credentials_file = "f"});
  EXPECT_TRUE(said.starts_with("--credentials-file is not used: the URL https://example.org/k is fetched as it is, without")) << said;
}

TEST(SnapshotPlace, IsNoUrlThatNamesNothing) {
  for (std::string url : {"", "s3://", "s3://box", "s3://box/", "s3:///k", "https://acct.blob.core.windows.net/box", "ftp://h/k", "box/k"})
    EXPECT_TRUE(problem({.url = url}).ends_with('.')) << url;
  for (std::string url : {"http://example.org/k?sig=hunter2", "http://127.0.0.1.example.org/k", "http://localhost@example.org/k"}) {
    auto said = problem({.url = url});
    EXPECT_TRUE(said.contains("is not encrypted") && !said.contains("hunter2")) << said;
  }
  EXPECT_TRUE(problem({.url = "https://acct.blob.core.windows.net/box/k", .region = "eu-west-1"}).contains("--region is only for s3://"));
}

}  // namespace
}  // namespace kopiur::executor
