#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

/// The chart must not grant what the gateway never requests, nor the gateway request what is not granted.
TEST(Rules, OfTheChartAreThoseOfTheTable) {
  auto const file = std::filesystem::path(KOPIUR_SOURCE_DIR) / "helm/kopiur/charts/gateway/files/rules.yaml";
  std::ifstream in(file);
  std::string const there(std::istreambuf_iterator<char>(in), {});
  auto const fresh = std::filesystem::path(::testing::TempDir()) / "rules.yaml";
  std::ofstream(fresh) << rules_yaml();
  EXPECT_EQ(there, rules_yaml()) << "The table of verbs has changed. Look at the difference, then: cp " << fresh << " " << file;
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
