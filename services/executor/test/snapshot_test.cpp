#include <gtest/gtest.h>

#include "common/encoding/hex.hpp"
#include "services/executor/core/snapshot_digests.hpp"
#include "services/executor/core/snapshot_status.hpp"

namespace kopiur::executor {
namespace {

std::string database(std::size_t size) {
  std::string out(size, 0);
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<char>(i * 31 >> 3);
  return out;
}
std::string saved(std::size_t size) { return database(size) + blob::sha256(database(size)); }

snapshot_digests digests(std::string_view text, std::size_t piece = 4096) {
  snapshot_hasher hasher;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) hasher.add(text.substr(0, piece));
  return hasher.end();
}

TEST(SnapshotDigests, FindTheChecksumWhateverThePieces) {
  auto text = saved(1024);
  for (std::size_t piece : std::initializer_list<std::size_t>{1, 7, 31, 32, 33, 63, 512, 1040, 4096}) {
    auto found = digests(text, piece);
    EXPECT_EQ(found.checksum, appended_checksum::right) << piece;
    EXPECT_EQ(found.size, text.size());
    EXPECT_EQ(found.sha256, encoding::hex(blob::sha256(text)));
    EXPECT_EQ(problem_of(found), "");
  }
}

TEST(SnapshotDigests, NoticeEachByteThatIsAnotherOne) {
  for (std::size_t where : std::initializer_list<std::size_t>{0, 511, 1023, 1024, 1055}) {
    auto text = saved(1024);
    text[where] = static_cast<char>(text[where] ^ 1);
    auto found = digests(text);
    EXPECT_EQ(found.checksum, appended_checksum::wrong) << where;
    EXPECT_TRUE(problem_of(found).starts_with("The checksum that etcd appended is wrong.")) << where;
  }
}

TEST(SnapshotDigests, NoticeAFileThatIsCutOff) {
  auto text = saved(2048);
  EXPECT_EQ(digests(text.substr(0, 1024 + 32)).checksum, appended_checksum::wrong);
  for (std::size_t size : std::initializer_list<std::size_t>{1, 32, 511, 544 + 1, 2048 + 31}) {
    auto found = digests(text.substr(0, size));
    EXPECT_EQ(found.checksum, appended_checksum::none) << size;
    EXPECT_TRUE(problem_of(found).contains("it is cut off, or something else")) << size;
  }
  EXPECT_TRUE(problem_of(digests("")).contains("is empty"));
}

TEST(SnapshotDigests, LeaveAFileWithoutAChecksumToEtcdutl) {
  auto found = digests(database(2048));
  EXPECT_EQ(found.checksum, appended_checksum::none);
  EXPECT_EQ(problem_of(found), "");
}

TEST(SnapshotStatus, IsThatOfEtcdutl) {
  auto read = read_status(R"({"hash":1450792425,"revision":2,"totalKey":1,"totalSize":20480,"version":"3.6.0"})").value();
  EXPECT_EQ(read.hash + " " + read.version, "567955e9 3.6.0");
  EXPECT_EQ(read.revision, 2);
  EXPECT_EQ(read.keys, 1);
  EXPECT_EQ(read.size, 20480);
  EXPECT_EQ(read_status("{\"hash\":10,\"revision\":0,\"totalKey\":0,\"totalSize\":0}\n").value().hash, "a") << "of etcd 3.5";
}

TEST(SnapshotStatus, IsNothingElse) {
  for (std::string text : {"", "567955e9, 2, 1, 20 kB", "[]", "{\"hash\":1}", R"({"hash":1,"revision":-1,"totalKey":1,"totalSize":1})",
                           R"({"hash":1,"revision":"2","totalKey":1,"totalSize":1})"}) {
    auto read = read_status(text);
    EXPECT_TRUE(!read && read.error().starts_with("What etcdutl printed is not a status: ") && read.error().ends_with('.')) << text;
  }
}

TEST(SnapshotStatus, GivesTheReasonWithoutTheStacks) {
  EXPECT_EQ(first_reason("panic: assertion failed: Page\n\ngoroutine 6 [running]:\n"), "assertion failed: Page");
  EXPECT_EQ(first_reason("Error: invalid database.\n"), "invalid database");
  EXPECT_EQ(first_reason("\x1B[2J"), " [2J");
  EXPECT_EQ(first_reason(" \n"), "it gives no reason");
}

}  // namespace
}  // namespace kopiur::executor
