#include "services/cli/core/completion.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

TEST(Completion, OffersVerbsOptionsAndKinds) {
  std::vector<verb_shape> verbs{{"get", {"--all-namespaces"}, {"backups"}}, {"backup now", {"--wait"}, {}}};
  auto script = completion_script("bash", verbs);
  ASSERT_TRUE(script);
  EXPECT_NE(script->find("words=\"backup get\""), std::string::npos);
  EXPECT_NE(script->find("backup) words=\"--wait now\""), std::string::npos);
  EXPECT_NE(script->find("get) words=\"--all-namespaces backups\""), std::string::npos);
  EXPECT_FALSE(completion_script("cmd", verbs));
}

}  // namespace
}  // namespace kopiur::cli
