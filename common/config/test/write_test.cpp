#include <gtest/gtest.h>

#include "common/config/manifest.hpp"

namespace kopiur::config {
namespace {

TEST(Yaml, IsReadBackAsTheSameValue) {
  json::value v;
  for (auto text : {"plain text", "true",        "no",    "12",      "1e3",         "",         " x", "x ",   "a: b",
                    "a #b",       "#c",          "- x",   "-",       "*x",          "&x",       "@x", "`",    "{}",
                    "[",          "line\nbreak", "tab\t", "quote\"", "back\\slash", "x:",       "~",  "null", "0755",
                    ".inf",       "ü ≥",         "<<",    "? y",     "n",           "%a",       "'s", "---",  "0 3 * * *",
                    "10Gi",       "!x",          "\x7f",  "\x1f",    "a\x01",       "a \x7f b", "|",  ">",    "2026-11-21T06:00:00Z"}) {
    v.set(text, text);
    v.find("list") ? v.find("list")->push(text) : v.set("list", json::value::make_array()).push(text);
  }
  v.set("deep",
        json::array{json::array{1, json::array{2}}, json::object{{"a", json::object{{"b", json::array{}}}}, {"c", nullptr}}, true, 1.5});
  v.set("none", json::value::make_object());
  std::string const key(2000, 'k');
  v.set("long", json::array{json::object{{key, 1}, {key + "l", json::array{1, 2}}, {key + "o", json::object{{key, "x"}, {"b", nullptr}}}}});
  auto yaml = to_yaml(v);
  auto back = read_manifests(yaml, "f");
  ASSERT_TRUE(back) << back.error().text() << "\n" << yaml;
  EXPECT_EQ(json::dump(back->front().content), json::dump(v)) << yaml;
}

/// Unquoted, a leading byte order mark makes the reader decode the whole document in that encoding.
TEST(Yaml, ThatBeginsLikeAnotherEncodingIsQuoted) {
  for (std::string text : {"\xfe\xff\xff x", "\xff\xfe x", "\xef\xbb\xbf x", "a\xff"}) {
    auto back = read_manifests(to_yaml(json::value(text)), "f");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(json::dump(back->front().content), json::dump(json::value(text)));
  }
}

TEST(Yaml, IsWrittenAsPeopleWriteIt) {
  auto v = *json::parse(R"({"a":[{"b":1,"c":["x","z"]},[2]],"d":{"e":"true"},"f":{},"g":[]})");
  EXPECT_EQ(to_yaml(v), "a:\n- b: 1\n  c:\n  - x\n  - z\n- - 2\nd:\n  e: \"true\"\nf: {}\ng: []\n");
}

}  // namespace
}  // namespace kopiur::config
