#include "services/gateway/kubernetes/objects/server_version.hpp"

#include <gtest/gtest.h>

namespace kopiur::gateway::kubernetes {
namespace {

TEST(ServerVersion, IsRefusedWhereAJobIsToldAsFailedTooSoon) {
  auto version = [](std::string major, std::string minor) { return json::value(json::object{{"major", major}, {"minor", minor}}); };
  EXPECT_FALSE(too_old(version("1", "31")));
  EXPECT_FALSE(too_old(version("1", "36+")));
  EXPECT_FALSE(too_old(version("2", "0")));
  EXPECT_FALSE(too_old(json::value()));
  ASSERT_TRUE(too_old(version("1", "30+")));
  EXPECT_NE(too_old(version("1", "30+"))->find("Kubernetes 1.30 says"), std::string::npos) << *too_old(version("1", "30+"));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
