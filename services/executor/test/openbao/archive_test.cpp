#include <gtest/gtest.h>

#include "common/encoding/hex.hpp"
#include "services/executor/core/openbao/snapshot_archive.hpp"

namespace kopiur::executor::openbao {
namespace {

std::string file(std::string const& name, std::string const& content, char type = '0') {
  std::string header(512, 0);
  header.replace(0, name.size(), name);
  char size[12];
  std::snprintf(size, sizeof size, "%011zo", content.size());
  header.replace(124, 11, size);
  header[156] = type;
  header.replace(257, 5, "ustar");
  auto padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}

std::string sum(std::string const& name, std::string const& content) { return encoding::hex(blob::sha256(content)) + "  " + name + "\n"; }

std::string const meta = R"({"Index":1})", state = std::string(5000, 's'), end_of_tar(1024, 0);

std::string whole() {
  return file("meta.json", meta) + file("state.bin", state) + file("SHA256SUMS", sum("state.bin", state) + sum("meta.json", meta)) +
         file("SHA256SUMS.sealed", "abc") + end_of_tar;
}

std::string problem_of(std::string const& tar, std::size_t piece = 100) {
  snapshot_archive archive;
  for (std::size_t i = 0; i < tar.size(); i += piece) archive.add(std::string_view(tar).substr(i, piece));
  return archive.problem();
}

TEST(OpenBaoArchive, IsWholeInPiecesOfAnySize) {
  for (std::size_t piece : {1U, 7U, 512U, 513U, 100000U}) EXPECT_EQ(problem_of(whole(), piece), "") << piece;
}

TEST(OpenBaoArchive, NoticesWhatIsMissing) {
  auto all = whole();
  for (std::size_t length : {std::size_t{0}, std::size_t{600}, std::size_t{3000}, all.size() - 1024})
    EXPECT_EQ(problem_of(all.substr(0, length)), "it is cut off") << length;
  EXPECT_EQ(problem_of(file("meta.json", meta) + end_of_tar), "its SHA256SUMS has no checksum of meta.json");
  auto sums = file("SHA256SUMS", sum("meta.json", meta));
  EXPECT_EQ(problem_of(file("meta.json", meta) + sums + end_of_tar), "it has no state.bin");
  EXPECT_EQ(problem_of(file("meta.json", meta) + file("state.bin", state) + sums + end_of_tar),
            "its SHA256SUMS has no checksum of state.bin");
}

TEST(OpenBaoArchive, NoticesAnotherByte) {
  auto all = whole();
  all[1024 + 512 + 700] = 'x';
  EXPECT_EQ(problem_of(all), "the checksum of its state.bin is wrong");
  EXPECT_EQ(problem_of(std::string(2000, 'g')), "it is not a tar file");
}

TEST(OpenBaoArchive, DoesNotJudgeFilesAbove8GiB) {
  EXPECT_EQ(problem_of(file("meta.json", meta) + file("PaxHeaders.0/state.bin", "20 size=9000000000\n", 'x') + "anything"), "");
}

}  // namespace
}  // namespace kopiur::executor::openbao
