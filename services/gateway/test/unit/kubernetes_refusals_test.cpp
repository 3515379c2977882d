#include "services/gateway/kubernetes/objects/refusals.hpp"

#include <gtest/gtest.h>

namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;

TEST(Refusal, OfACallKeepsItsMeaningAndItsSentence) {
  auto answer = [](failure why) { return refused({.code = why, .message = "GET /x was refused."}).error(); };
  EXPECT_EQ(answer(failure::not_found), (refusal{answer_code::NotFound, "GET /x was refused."}));
  EXPECT_EQ(answer(failure::already_exists).code, answer_code::AlreadyExists);
  EXPECT_EQ(answer(failure::conflict).code, answer_code::Conflict);
  EXPECT_EQ(answer(failure::invalid).code, answer_code::Invalid);
  EXPECT_EQ(answer(failure::forbidden).code, answer_code::Forbidden);
  EXPECT_EQ(answer(failure::too_many_requests).code, answer_code::TooManyRequests);
  EXPECT_EQ(answer(failure::ambiguous).code, answer_code::Ambiguous);
  EXPECT_EQ(answer(failure::unavailable).code, answer_code::Unavailable);
  for (auto why : {failure::invalid, failure::forbidden}) EXPECT_TRUE(is_permanent(answer(why)) && is_permanent(error{.code = why}));
  for (auto why : {failure::not_found, failure::ambiguous, failure::unavailable}) EXPECT_FALSE(is_permanent(answer(why)));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
