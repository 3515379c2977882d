#include <gtest/gtest.h>

#include "common/config/load.hpp"
#include "common/json/describe.hpp"

namespace kopiur::config {
namespace {

struct bus_settings {
  std::string server = "nats://127.0.0.1:4222";
  duration timeout = std::chrono::seconds(5);
  std::vector<std::string> more;
};
KOPIUR_DESCRIBE(bus_settings, (), (server, timeout, more))
struct settings {
  int concurrency = 4;
  bus_settings bus;
  std::optional<std::string> cluster;
};
KOPIUR_DESCRIBE(settings, (), (concurrency, bus, cluster))

std::string says(std::string_view yaml) {
  auto documents = read_manifests(yaml, "s.yaml");
  if (!documents) return documents.error().text();
  auto read = load<settings>(documents->front());
  return read ? json::write(*read) : read.error().text();
}

TEST(Settings, KeepDefaultsWhereTheFileIsSilent) {
  EXPECT_EQ(says("bus: {timeout: 90s}\ncluster: home\n"),
            R"({"concurrency":4,"bus":{"server":"nats://127.0.0.1:4222","timeout":"1m30s"},"cluster":"home"})");
}

TEST(Settings, NameTheLineOfWhatIsWrong) {
  EXPECT_EQ(says("concurrency: 2\nbus:\n  timeot: 3s\n"), "s.yaml:3:3: bus.timeot: is no setting; did you mean `timeout`?");
  EXPECT_EQ(says("colour: red\n"), "s.yaml:1:1: colour: is no setting.");
  EXPECT_EQ(says("bus:\n  timeout: soon\n"), "s.yaml:2:3: bus.timeout: must be a duration such as 90s, 15m or 1h30m");
  EXPECT_EQ(says("concurrency: \"2\"\n"), "s.yaml:1:1: concurrency: must be a whole number");
}

TEST(Nearest, OffersOnlyWhatIsNear) {
  std::vector<std::string_view> known{"passwordSecretRef", "suspend", "backend", "create"};
  EXPECT_EQ(nearest("passwordSecretref", known), "passwordSecretRef");
  EXPECT_EQ(nearest("supsend", known), "suspend");
  EXPECT_EQ(nearest("backnd", known), "backend");
  EXPECT_EQ(nearest("retention", known), "");
  EXPECT_EQ(nearest("", known), "");
}

}  // namespace
}  // namespace kopiur::config
