#include "common/hash/stable_hash.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace kopiur;
using namespace std::literals;

namespace {

struct golden {
  std::vector<std::string_view> parts;
  std::uint64_t hash;
  std::string_view digest;
};

// Computed independently, in another language. A changed result renames objects in clusters: never edit a row, only add rows.
std::vector<golden> const golden_hashes = {
    {{}, 0xefd01f60ba992926, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {{""}, 0x7bd3144f29c0cc9e, "af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc"},
    {{"a"}, 0xdea13a43162696b9, "ae6121c88ba555f64c3d812123eb799d128015541f850c5e9bf1d54c08ad8481"},
    {{"ab", "c"}, 0x0495f5d642268de7, "43ee655579de01ca739b3f95c1c2d3f46d353b2c0df818064ea594506cdb2617"},
    {{"a", "bc"}, 0x028d4aba4bf993b3, "9a8acca1b6c6c0befd3fbc756aed625da998c998f7252e738c4ef061906b9b21"},
    {{"9b1c6b0e-5d0a-4a57-9a3f-0d8f2a7f6f10", "minute"},
     0xadbd971fb0aa51c7,
     "da7e6f94d1c36466fc061884857e3b0dfe8600bcc9021c6fb6385545d138797b"},
    {{"\xc3\xbc\x00"sv}, 0xc98217f926b22e96, "e2231d67ed8e3eefe3530252a1809b4ea84e87cd0b08af1f63d11155f27443aa"},
};

TEST(StableHash, NeverChanges) {
  for (auto const& [parts, hash, digest] : golden_hashes) {
    EXPECT_EQ(hash::stable_hash(parts), hash);
    EXPECT_EQ(hash::digest_hex(parts, 64), digest);
  }
}

TEST(StableHash, SpreadsNeighboursOverASmallRange) {
  std::array<int, 60> hits{};
  for (int i = 0; i < 60'000; ++i) ++hits[hash::stable_hash({"schedule-" + std::to_string(i)}) % 60];
  double chi = 0;
  for (int n : hits) chi += (n - 1000.0) * (n - 1000.0) / 1000.0;
  EXPECT_LT(chi, 105.0);  // 59 degrees of freedom: chance exceeds it once in 5,000 sets of keys, and ours is fixed
}

TEST(DigestHex, IsCutToTheLengthAsked) {
  EXPECT_EQ(hash::digest_hex({"a"}, 0), "");
  EXPECT_EQ(hash::digest_hex({"a"}, 8), "ae6121c8");
  EXPECT_EQ(hash::digest_hex({"a"}, 100).size(), 64u);
}

TEST(DigestHex, TellsApartHowTextIsCutIntoParts) {
  std::set<std::string> seen;
  for (std::size_t cut = 0; cut <= 6; ++cut) {
    std::string_view text = "abcdef";
    seen.insert(hash::digest_hex({text.substr(0, cut), text.substr(cut)}, 32));
  }
  seen.insert(hash::digest_hex({"abcdef"}, 32));
  EXPECT_EQ(seen.size(), 8u);
}

}  // namespace
