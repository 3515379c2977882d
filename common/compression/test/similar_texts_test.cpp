#include "common/compression/similar_texts.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace kopiur::compression {
namespace {

std::string object(int number) {
  return R"({"apiVersion":"v1","kind":"Backup","metadata":{"name":"backup-)" + std::to_string(number) +
         R"(","namespace":"default","labels":{"app":"photos","team":"one"}},"spec":{"configRef":{"name":"docs"},"tags":{}},"number":)" +
         std::to_string(number * 7919) + "}";
}

TEST(SimilarTexts, AreTheSameAfterwards) {
  similar_texts all;
  std::vector<std::string> texts, packed;
  for (int i = 0; i < 200; ++i) texts.push_back(object(i));
  texts.emplace_back(), texts.emplace_back("x"), texts.emplace_back(100'000, 'a');
  std::string noise;
  for (std::uint32_t seed = 1; noise.size() < 70'000; noise += static_cast<char>(seed >> 24)) seed = seed * 1664525U + 1013904223U;
  texts.push_back(noise);
  for (auto& each : texts) packed.push_back(all.pack(each));
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(all.unpack(packed[i]), texts[i]) << i;
}

TEST(SimilarTexts, NeedAFractionOfTheMemory) {
  similar_texts all;
  std::size_t plain = 0, packed = 0;
  for (int i = 0; i < 1000; ++i) {
    auto text = object(i);
    plain += text.size(), packed += all.pack(text).size();
  }
  EXPECT_LT(packed * 5, plain);
}

TEST(SimilarTexts, OfAnotherPackerAreRefused) {
  similar_texts one, other;
  std::string packed;
  for (int i = 0; i < 20; ++i) packed = one.pack(object(i));
  EXPECT_THROW(other.unpack(packed), std::logic_error);
  EXPECT_THROW(one.unpack(std::string_view(packed).substr(0, packed.size() / 2)), std::logic_error);
}

}  // namespace
}  // namespace kopiur::compression
