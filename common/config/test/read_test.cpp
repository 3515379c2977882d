#include <gtest/gtest.h>

#include <fstream>

#include "common/config/manifest.hpp"

namespace kopiur::config {
namespace {

std::string as_json(std::string_view yaml) {
  auto read = read_manifests(yaml, "f.yaml");
  if (!read) return read.error().text();
  std::string out;
  for (auto& each : *read) out += (out.empty() ? "" : "|") + json::dump(each.content);
  return out;
}

TEST(Manifest, TypesScalarsAsKubernetesDoes) {
  struct row {
    char const *yaml, *json;
  };
  for (auto& [yaml, expected] : std::initializer_list<row>{
           {"a: true", R"({"a":true})"},
           {"a: \"true\"", R"({"a":"true"})"},
           {"a: 'no'", R"({"a":"no"})"},
           {"a: no", R"({"a":false})"},
           {"a: On", R"({"a":true})"},
           {"a: y", R"({"a":"y"})"},
           {"a: 12", R"({"a":12})"},
           {"a: -7", R"({"a":-7})"},
           {"a: 0755", R"({"a":493})"},
           {"a: 0o17", R"({"a":15})"},
           {"a: 0x1F", R"({"a":31})"},
           {"a: 089", R"({"a":89})"},
           {"a: 0", R"({"a":0})"},
           {"a: 1.5", R"({"a":1.5})"},
           {"a: 1e3", R"({"a":1000})"},
           {"a: 9223372036854775808", R"({"a":9.223372036854776e+18})"},
           {"a: 0xFFFFFFFFFFFFFFFF", R"({"a":"0xFFFFFFFFFFFFFFFF"})"},
           {"a: 0x1E5FFFFFFFFFFFFFFFFF", R"({"a":"0x1E5FFFFFFFFFFFFFFFFF"})"},
           {"a: 1.2.3", R"({"a":"1.2.3"})"},
           {"a: 1-2", R"({"a":"1-2"})"},
           {"a: 10Gi", R"({"a":"10Gi"})"},
           {"a: 2026-11-21T06:00:00Z", R"({"a":"2026-11-21T06:00:00Z"})"},
           {"a: 0 3 * * *", R"({"a":"0 3 * * *"})"},
           {"a:", R"({"a":null})"},
           {"a: ~", R"({"a":null})"},
           {"a: ''", R"({"a":""})"},
           {"a: !!str 12", R"({"a":"12"})"},
           {"a: !!int '12'", R"({"a":12})"},
           {"1: x", R"({"1":"x"})"},
           {"true: x", R"({"true":"x"})"},
           {"a: |\n  x\n  y\n", R"({"a":"x\ny\n"})"},
           {"{a: [1, {b: c}], d: {}}", R"({"a":[1,{"b":"c"}],"d":{}})"},
           {"a: 1\n---\n# nothing\n---\nb: 2\n", R"({"a":1}|{"b":2})"},
           {"b: &x {c: 1}\nd: *x\n", R"({"b":{"c":1},"d":{"c":1}})"},
           {"b: &x {c: 1, e: 2}\nd:\n  <<: *x\n  e: 3\n", R"({"b":{"c":1,"e":2},"d":{"e":3,"c":1}})"},
       })
    EXPECT_EQ(as_json(yaml), expected) << yaml;
}

TEST(Manifest, ANumberBeyondAllNumbersIsText) {
  auto digits = std::string(400, '9');
  EXPECT_EQ(as_json("a: " + digits), R"({"a":")" + digits + R"("})");
  EXPECT_EQ(as_json("a: 1e400"), R"({"a":"1e400"})");
}

TEST(Manifest, RefusesWhatIsNotPlain) {
  struct row {
    char const *yaml, *says;
  };
  for (auto& [yaml, says] : std::initializer_list<row>{
           {"a: 1\nb: 2\na: 3\n", "f.yaml:3:1: a: this key is on line 1 already"},
           {"s:\n  a: {x: 1, x: 2}\n", "f.yaml:2:13: s.a.x: this key is on line 2 already"},
           {"a: .inf", "f.yaml:1:4: a: this is not a value"},
           {"a: !mine 1", "f.yaml:1:4: a: this is not a value"},
           {"a: !!set {b: 1}", "f.yaml:1:4: a: the tag"},
           {"[a]: 1", "f.yaml:1:1: a key must be text"},
           {"a: &x [*x]", "f.yaml:1:8: a[0]: this alias stands inside"},
           {"a: [1\nb: 2", "f.yaml:2:2: not YAML"},
           {"a: \"\x04\"", "f.yaml:1:5: holds a control character"},
           {"a:\n\t- b", "f.yaml:2"},
           {"{a: b}\n,", "f.yaml:2:1: not YAML"},
           {"a\n---\n]", "f.yaml:3:1: not YAML"},
           {"{a: b}}", "f.yaml:1:7: not YAML"},
           {"a: 'x\nb: 1\n", "f.yaml:3:1: not YAML: a quoted text has no closing quote."},
           {"a: \"x\n", "f.yaml:2:1: not YAML: a quoted text has no closing quote."},
           {"a: 'x", "f.yaml:1:6: not YAML: a quoted text has no closing quote."},
       })
    EXPECT_NE(as_json(yaml).find(says), std::string::npos) << yaml << "\nsays: " << as_json(yaml);
}

/// Silent replacement of Latin-1 bytes would change a name or a password; UTF-16 is accepted, as kubectl accepts it (Trials, T15).
TEST(Manifest, IsUtf8OrUtf16WithItsMark) {
  EXPECT_TRUE(as_json("a: 1\nb: caf\xE9\n").contains("f.yaml:2:7: is not UTF-8. Save the file in that encoding."));
  EXPECT_TRUE(as_json("a: \xED\xA0\x80").contains("is not UTF-8"));
  EXPECT_EQ(as_json("\xEF\xBB\xBF"
                    "a: \xC3\xA4"),
            "{\"a\":\"\xC3\xA4\"}");
  std::string const little(
      "\xFF\xFE"
      "a\0:\0 \0\xE4\0\x3D\xD8\x00\xDE",
      14),
      big("\xFE\xFF"
          "\0a\0:\0 \0\xE4\xD8\x3D\xDE\x00",
          14);
  for (auto& each : {little, big}) EXPECT_EQ(as_json(each), "{\"a\":\"\xC3\xA4\xF0\x9F\x98\x80\"}");
  EXPECT_TRUE(as_json(std::string("\xFF\xFE"
                                  "a\0:\0 \0\x3D\xD8",
                                  10))
                  .contains("is not UTF-8"))
      << "half of a pair";
}

TEST(Manifest, HasABoundedDepth) {
  auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_TRUE(read_manifests(nested(max_document_depth), "f.yaml"));
  EXPECT_EQ(as_json(nested(max_document_depth + 1)), "f.yaml:1:101: the document has more than 100 levels. Flatten it.");
  EXPECT_NE(as_json(nested(100'000)).find("more than 100 levels"), std::string::npos);
  auto anchored = "a: &x " + nested(60) + "\nb: ";
  EXPECT_TRUE(read_manifests(anchored + "*x", "f.yaml"));
  EXPECT_NE(as_json(anchored + std::string(40, '[') + "*x" + std::string(40, ']')).find("more than 100 levels"), std::string::npos);
}

TEST(Manifest, KnowsWhereAFieldStands) {
  auto read = read_manifests("# c\nspec:\n  sources:\n  - pvc:\n      name: data\n    x: 1\n  -  y\n", "dir/f.yaml");
  ASSERT_TRUE(read) << read.error().text();
  auto& one = read->front();
  EXPECT_EQ(one.where.find("spec.sources[0].pvc.name"), (position{5, 7}));
  EXPECT_EQ(one.where.find("spec.sources[0]"), (position{4, 5}));
  EXPECT_EQ(one.where.find("spec.sources[1]"), (position{7, 6}));
  EXPECT_EQ(one.where.find("spec.sources[0].pvcSelector.labels"), (position{4, 5})) << "the nearest field around it";
  EXPECT_EQ(one.where.find("nowhere.at[3].all"), (position{2, 1}));
  EXPECT_EQ(one.blame("spec.sources[1]", "is odd").text(), "dir/f.yaml:7:6: spec.sources[1]: is odd");
}

TEST(Manifest, CountsDocumentsThatHoldNothing) {
  auto read = read_manifests("---\n---\na: 1\n", "f");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().document, 1);
  EXPECT_EQ(read->front().where.find("a"), (position{3, 1}));
}

TEST(Manifest, BoundsAliases) {
  std::string laughs = "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]\n";
  for (int i = 1; i < 12; ++i) {
    auto n = std::to_string(i), m = std::to_string(i - 1);
    laughs += "a" + n + ": &a" + n + " [*a" + m;
    for (int j = 0; j < 9; ++j) laughs += ",*a" + m;
    laughs += "]\n";
  }
  EXPECT_NE(as_json(laughs).find("larger than 3 MiB"), std::string::npos) << as_json(laughs).substr(0, 200);
  std::string nested = "a: ";
  for (int i = 0; i < 60; ++i) nested += "&a" + std::to_string(i) + " [";
  nested += std::string(100'000, 'x') + std::string(60, ']');
  EXPECT_NE(as_json(nested).find("larger than 3 MiB"), std::string::npos) << "each anchor keeps a copy";
}

TEST(Manifest, RefusesADocumentOverThreeMebibytes) {
  EXPECT_NE(as_json("a: " + std::string(max_document_bytes, 'x')).find("larger than 3 MiB"), std::string::npos);
  EXPECT_EQ(as_json("a: " + std::string(1000, 'x')).size(), 1008u);
}

TEST(Manifest, ReadsAFileAndSaysWhyNot) {
  auto missing = read_manifest_file("/nonexistent/x.yaml");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), "/nonexistent/x.yaml: cannot be read: No such file or directory. Check the path and its permissions.");
  auto file = std::filesystem::temp_directory_path() / ("kopiur-config-" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(file) << "a: 1\n";
  auto read = read_manifest_file(file);
  std::filesystem::remove(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().file, file.string());
}

}  // namespace
}  // namespace kopiur::config
