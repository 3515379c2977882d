#include "services/buckety/core/flags.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kopiur::buckety::program {
namespace {

using namespace std::chrono_literals;

std::expected<flags, std::string> parsed(std::vector<std::string_view> arguments) { return parse_flags(arguments); }
std::string refusal(std::vector<std::string_view> arguments) {
  auto result = parsed(std::move(arguments));
  return result ? "" : result.error();
}

TEST(Flags, HaveTheDefaultsOfTheText) {
  auto all = parsed({}).value();
  EXPECT_EQ(all.config_dir, "/etc/buckety");
  EXPECT_EQ(all.periodic_recheck, 5min);
  EXPECT_EQ(all.metrics_address, ":8080");
  EXPECT_EQ(all.health_address, ":8081");
  EXPECT_TRUE(all.enable_webhook);
  EXPECT_EQ(all.webhook_port, 9443);
  EXPECT_EQ(all.certificate_dir, "/var/run/buckety/webhook-tls");
  EXPECT_TRUE(all.leader_elect);
  EXPECT_FALSE(all.version);
}

TEST(Flags, AreTakenWithOneDashOrTwoAndBothFormsOfAValue) {
  for (auto* form : {"-periodic-recheck=1m30s", "--periodic-recheck=1m30s"}) EXPECT_EQ(parsed({form})->periodic_recheck, 90s) << form;
  for (auto* name : {"-c", "--c"}) EXPECT_EQ(parsed({name, "/some/where", "-webhook-port", "9444"})->config_dir, "/some/where") << name;
  EXPECT_EQ(parsed({"-c=/a=b"})->config_dir, "/a=b");
  EXPECT_EQ(parsed({"-c", "-version"})->config_dir, "-version") << "as in Go, the next argument is the value";
  EXPECT_EQ(parsed({"-webhook-port", "9444"})->webhook_port, 9444);
  EXPECT_EQ(parsed({"-c", "one", "-c", "two"})->config_dir, "two");
}

TEST(Flags, OfBooleansTakeTheirValueWithASignOnly) {
  EXPECT_TRUE(parsed({"--enable-webhook"})->enable_webhook);
  EXPECT_FALSE(parsed({"--enable-webhook=false"})->enable_webhook);
  EXPECT_FALSE(parsed({"-leader-elect=0"})->leader_elect);
  EXPECT_TRUE(parsed({"-version"})->version);
  EXPECT_NE(refusal({"--enable-webhook", "false"}).find("\"false\""), std::string::npos) << "it is an argument";
}

TEST(Flags, ThatAreWrongAreNamed) {
  EXPECT_EQ(refusal({"--conf"}), "unknown flag \"--conf\".");
  EXPECT_EQ(refusal({"-c"}), "the flag -c needs a value.");
  for (auto* value : {"", "often", "5", "0s", "-1s"})
    EXPECT_NE(refusal({"--periodic-recheck", value}).find("a duration such as 30s"), std::string::npos) << value;
  for (auto* value : {"", "http", "65536", "-1"})
    EXPECT_NE(refusal({"-webhook-port", value}).find("a port from"), std::string::npos) << value;
  EXPECT_NE(refusal({"-leader-elect=yes"}).find("true or false"), std::string::npos);
  for (auto* text : {"/etc/buckety", "", "-", "--", "---c=x"})
    EXPECT_NE(refusal({text}).find("unexpected argument"), std::string::npos) << text;
  EXPECT_EQ(refusal({"-=x"}), "unknown flag \"-=x\".");
}

TEST(Flags, AreAllInTheUsage) {
  for (auto* each : {"-c DIR", "(default /etc/buckety)", "(default 5m)", "-webhook-port PORT", "(default 9443)", "-leader-elect"})
    EXPECT_NE(usage().find(each), std::string::npos) << each << usage();
}

}  // namespace
}  // namespace kopiur::buckety::program
