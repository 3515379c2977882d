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
  EXPECT_EQ(says("concurrency: 2\nbus:\n  timeot: 3s\n"), "s.yaml:3:3: bus.timeot: unknown field \"timeot\"; did you mean `timeout`?");
  EXPECT_EQ(says("colour: red\n"), "s.yaml:1:1: colour: unknown field \"colour\".");
  EXPECT_EQ(says("bus:\n  timeout: soon\n"), "s.yaml:2:3: bus.timeout: must be a duration such as 90s, 15m or 1h30m");
  EXPECT_EQ(says("concurrency: \"2\"\n"), "s.yaml:1:1: concurrency: must be a whole number");
}

struct texts {
  std::string zone;
  std::map<std::string, std::string> more;
  std::optional<std::string> region;
  bool path_style = false;
  std::vector<int> ports;
};
KOPIUR_DESCRIBE(texts, (), (zone, more, region, path_style, ports))

std::string says_as_text(std::string_view yaml) {
  auto documents = read_manifests(yaml, "s.yaml", scalar_typing::Text);
  if (!documents) return documents.error().text();
  auto read = load<texts>(documents->front());
  return read ? json::write(*read) : read.error().text();
}

TEST(Settings, KeepTextAsItIsWrittenWhereAFieldTakesText) {
  EXPECT_EQ(says_as_text("zone: no\nmore: {a: 0755, b: 1e3, c: 1.50, d: true}\nregion: ~\npathStyle: yes\nports: [0x10, 8]\n"),
            R"({"zone":"no","more":{"a":"0755","b":"1e3","c":"1.50","d":"true"},"pathStyle":true,"ports":[16,8]})");
  EXPECT_EQ(says_as_text("zone: &z 007\nmore: {a: *z, b: !!int 010, c: '~'}\n"),
            R"({"zone":"007","more":{"a":"007","b":"010","c":"~"},"pathStyle":false})")
      << "also behind an alias or a tag";
  EXPECT_EQ(says_as_text("zone: [a]\n"), "s.yaml:1:1: zone: must be text");
  EXPECT_EQ(says_as_text("pathStyle: maybe\n"), "s.yaml:1:1: pathStyle: must be true or false");
}

TEST(Settings, AreBlamedOnOneLine) { EXPECT_EQ(says("\"a\\nb\": 1\n"), R"(s.yaml:1:1: a\x0ab: unknown field "a\x0ab".)"); }

TEST(Settings, AreNotRepeatedInAProblem) {
  for (auto* yaml : {"zone: *hunter2", "zone: !!int hunter2", "zone: !hunter2 hunter2", "zone: \"\\hunter2\"", "zone: !!float hunter2"})
    EXPECT_FALSE(says_as_text(yaml).contains("hunter2")) << says_as_text(yaml);
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
