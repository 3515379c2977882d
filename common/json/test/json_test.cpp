#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <random>

#include "common/json/codec.hpp"
#include "common/json/cut.hpp"
#include "common/json/describe.hpp"
#include "common/json/members.hpp"
#include "common/json/strict.hpp"

namespace kopiur::json {
namespace {

enum class colour { Red, Green };
BOOST_DESCRIBE_ENUM(colour, Red, Green)
struct by_name {
  static constexpr std::string_view member = "name";
  std::string first;
};
KOPIUR_DESCRIBE(by_name, (), (first))
struct by_number {
  static constexpr std::string_view member = "number";
  int value = 0;
};
KOPIUR_DESCRIBE(by_number, (), (value))
struct thing {
  std::string unique_ID;
  std::optional<std::int64_t> size_bytes;
  std::vector<std::string> tags;
  std::map<std::string, int> counts;
  std::optional<std::variant<by_name, by_number>> selector;
  std::optional<colour> hue;
  duration window = std::chrono::minutes(5);
  std::optional<instant> at;
  bool namespace_ = false;
};
KOPIUR_DESCRIBE(thing, (), (unique_ID, size_bytes, tags, counts, selector, hue, window, at, namespace_))

TEST(Codec, RoundTripsEveryShape) {
  thing one{.unique_ID = "u",
            .size_bytes = 1LL << 40,
            .tags = {"a", "b"},
            .counts = {{"x", 1}},
            .selector = by_number{7},
            .hue = colour::Green,
            .window = std::chrono::seconds(90),
            .at = instant_from("2026-11-21T06:00:00.5Z")};
  auto text = write(one);
  EXPECT_EQ(text, R"({"uniqueID":"u","sizeBytes":1099511627776,"tags":["a","b"],"counts":{"x":1},"selector":{"number":{"value":7}},)"
                  R"("hue":"Green","window":"1m30s","at":"2026-11-21T06:00:00.500Z","namespace":false})");
  auto back = read<thing>(text);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(write(*back), text);
}

struct recipe {
  shared<by_name> common;
  int own = 0;
};
KOPIUR_DESCRIBE(recipe, (), (common, own))

TEST(Codec, WhatIsSharedIsOneValueForEqualJson) {
  auto one = read<recipe>(R"({"common":{"first":"a"},"own":1})").value();
  auto same = read<recipe>(R"({"common":{"first":"a"},"own":2})").value();
  auto other = read<recipe>(R"({"common":{"first":"b"}})").value();
  ASSERT_TRUE(one.common && same.common && other.common);
  EXPECT_EQ(&*one.common, &*same.common);
  EXPECT_EQ(other.common->first, "b");
  EXPECT_EQ(write(same), R"({"common":{"first":"a"},"own":2})");
  EXPECT_FALSE(read<recipe>("{}").value().common);
  EXPECT_EQ(read<recipe>(R"({"common":{"first":1}})").error().text(), "common.first: must be text");
  one = same = other;  // the first one has no owner any more: it is read again
  EXPECT_EQ(read<recipe>(R"({"common":{"first":"a"}})").value().common->first, "a");
}

TEST(Codec, KeepsDefaultsAndPassesUnknownMembers) {
  auto one = read<thing>(R"({"uniqueID":"u","unheardOf":{"deep":[1]}})");
  ASSERT_TRUE(one);
  EXPECT_EQ(one->window, std::chrono::minutes(5));
  EXPECT_FALSE(one->selector);
}

TEST(Codec, NamesTheFieldThatIsWrong) {
  auto fails = [](char const* text) {
    auto read_back = read<thing>(text);
    return read_back ? std::string("it passed") : read_back.error().text();
  };
  EXPECT_EQ(fails(R"({"tags":["a",3]})"), "tags[1]: must be text");
  EXPECT_EQ(fails(R"({"hue":"Blue"})"), "hue: must be one of Red, Green");
  EXPECT_EQ(fails(R"({"selector":{}})"), "selector: must have exactly one of name, number");
  EXPECT_EQ(fails(R"({"selector":{"name":{},"number":{}}})"), "selector: must have exactly one of name, number");
  EXPECT_EQ(fails(R"({"selector":{"number":{"value":"x"}}})"), "selector.number.value: must be a whole number");
  EXPECT_EQ(fails(R"({"window":"soon"})"), "window: must be a duration such as 90s, 15m or 1h30m");
  EXPECT_TRUE(fails("{").starts_with("not JSON")) << fails("{");
}

struct by_list {
  static constexpr std::string_view member = "list";
  static constexpr bool transparent = true;
  std::vector<int> items;
};
KOPIUR_DESCRIBE(by_list, (), (items))
struct step {
  static constexpr std::string_view inlined = "action";
  std::variant<by_name, by_list> action;
  bool eager = false;
};
KOPIUR_DESCRIBE(step, (), (action, eager))
struct label {
  static constexpr bool omit_defaults = true;
  std::string text;
  int count = 3;
  std::vector<int> more;
  by_number inner;
};
KOPIUR_DESCRIBE(label, (), (text, count, more, inner))

TEST(Codec, LaysAnInlinedUnionAmongItsSiblings) {
  auto one = read<step>(R"({"list":[1,2],"eager":true})");
  ASSERT_TRUE(one) << one.error().text();
  EXPECT_EQ(std::get<by_list>(one->action).items, (std::vector{1, 2}));
  EXPECT_EQ(write(*one), R"({"list":[1,2],"eager":true})");
  EXPECT_EQ(read<step>(R"({"eager":true})").error().text(), "must have exactly one of name, list");
  EXPECT_EQ(read<step>(R"({"list":["x"]})").error().text(), "list[0]: must be a whole number");
}

TEST(Codec, OmitsDefaultsWhereTheStructSaysSo) {
  EXPECT_EQ(write(label{}), "{}");
  EXPECT_EQ(write(label{.text = "a", .count = 0}), R"({"text":"a","count":0})");
  EXPECT_EQ(read<label>("{}")->count, 3);
}

TEST(Value, RefusesWhatIsNotThere) {
  EXPECT_EQ(parse(std::string_view()).error().text(), parse("").error().text());
  EXPECT_NE(parse("").error().text().find("empty"), std::string::npos);
}

TEST(Value, MergesAsRfc7386) {
  auto target = *parse(R"({"a":{"b":1,"c":2},"d":[1]})");
  merge(target, *parse(R"({"a":{"b":null,"e":{"f":null,"g":3}},"d":7})"));
  EXPECT_EQ(dump(target), R"({"a":{"c":2,"e":{"g":3}},"d":7})");
}

TEST(Value, QuotesWhatJsonMustQuote) {
  value v;
  v.set("k", "a\"\\\n\x01ü");
  auto text = dump(v);
  EXPECT_EQ(text, "{\"k\":\"a\\\"\\\\\\n\\u0001ü\"}");
  EXPECT_EQ(*parse(text), v);
}

TEST(Value, WritesJsonWhateverBytesAStringHas) {
  EXPECT_EQ(dump(value("caf\xc3\xa9")), "\"caf\xc3\xa9\"");
  EXPECT_EQ(dump(value("\xa9 caf\xc3\xa9")), "\"\xef\xbf\xbd caf\xc3\xa9\"") << "the beginning was cut off";
  for (std::string_view bytes : {"\xff\xfe", "caf\xc3", "\xed\xa0\x80 half a pair"}) EXPECT_TRUE(parse(dump(value(bytes))));
}

TEST(Value, ANumberIsWrittenAsItIsReadBack) {
  for (auto text : {"0", "-1", "0.5", "1e+17", "9223372036854775807"}) EXPECT_EQ(dump(*parse(text)), text);
  EXPECT_EQ(dump(*parse("-0.0")), "0");
  for (double number : {-0.0, 1.0, 83.0, 0.1, 1e17, 9223372036854775808.0}) EXPECT_EQ(*parse(dump(number)), value(number)) << number;
  EXPECT_EQ(value(83.0), value(83)) << "what was read back is the same value";
  EXPECT_NE(value(83.5), value(83));
  EXPECT_NE(value(9007199254740992.0), value(9007199254740993LL));
}

TEST(Value, ANumberIsWrittenInItsShortestForm) {
  EXPECT_EQ(dump(value(0.1)), "0.1");
  EXPECT_EQ(dump(value(12.5)), "12.5");
  EXPECT_EQ(dump(value(1e22)), "1e+22");
  EXPECT_EQ(dump(value(-5e-324)), "-5e-324");
  for (double none : {NAN, INFINITY, -INFINITY}) EXPECT_EQ(dump(value(none)), "null");
}

TEST(Value, EveryDoubleIsReadBackAsItself) {
  std::mt19937_64 dice(7);
  auto comes_back = [](double number) {
    auto read = parse(dump(value(number)));
    return read && *read == value(number) &&
           (read->as_int() || std::bit_cast<std::uint64_t>(*read->as_double()) == std::bit_cast<std::uint64_t>(number));
  };
  for (int i = 0; i < 100'000; ++i) {
    auto any = std::bit_cast<double>(dice());
    if (std::isfinite(any)) ASSERT_TRUE(comes_back(any)) << any;
    auto near_whole = std::ldexp(static_cast<double>(dice() >> 11), static_cast<int>(dice() % 40) - 20);
    ASSERT_TRUE(comes_back(near_whole) && comes_back(-near_whole)) << near_whole;
  }
  for (double edge :
       {0x1p63, -0x1p63, 0x1p64, -0x1p64, 0x1.fffffffffffffp+62, -0x1.0000000000001p+63, 1e23, 5e-324, 1.7976931348623157e308})
    EXPECT_TRUE(comes_back(edge)) << edge;
}

/// That many levels around a zero.
std::string nested(std::size_t levels, std::string const& open, std::string const& close) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += open;
  text += "0";
  for (std::size_t i = 0; i < levels; ++i) text += close;
  return text;
}
std::string why_not(std::string_view text, bounds const& most = {}) {
  auto read = parse(text, most);
  EXPECT_TRUE(read || read.error().too_large) << read.error().text();
  return read ? "it was read" : read.error().text();
}

TEST(Bounds, LimitTheBytes) {
  EXPECT_EQ(why_not("[1234]", {.bytes = 6}), "it was read");
  EXPECT_EQ(why_not("[12345]", {.bytes = 6}), "not JSON that we read: 7 bytes, at most 6");
  EXPECT_EQ(why_not(std::string((64 << 20) + 1, ' ')), "not JSON that we read: 67,108,865 bytes, at most 67,108,864");
}

TEST(Cut, LeavesOutWhatIsDeeper) {
  auto mark = '"' + std::string(cut_mark) + '"';
  EXPECT_EQ(cut(R"({"a":[1,{"b":[]}],"c":"[{\"}"})", 2), R"({"a":[1,)" + mark + R"(],"c":"[{\"}"})");
  EXPECT_EQ(cut("[[1],[[2],[3]],4]", 2), "[[1],[" + mark + "," + mark + "],4]");
  EXPECT_EQ(cut(R"({"a":{"b":1}})", 2), R"({"a":{"b":1}})");
  EXPECT_FALSE(is_cut(*parse(R"({"a":{"b":1}})")));
  EXPECT_TRUE(is_cut(*parse(cut(R"({"a":[[1]]})", 1))));
  for (auto* none : {"", "]]", "{\"a", "[[[", "\"\\"}) EXPECT_FALSE(parse(cut(none, 1))) << none;
  auto deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  auto read = parse(cut(deep, 100), {.depth = 100});
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(is_cut(*read));
}

TEST(Bounds, LimitTheDepth) {
  for (std::size_t depth : {1uz, 7uz, bounds{}.depth}) {
    auto refusal = "not JSON that we read: too many levels, at most " + std::to_string(depth);
    EXPECT_EQ(why_not(nested(depth, "[", "]"), {.depth = depth}), "it was read");
    EXPECT_EQ(why_not(nested(depth + 1, "[", "]"), {.depth = depth}), refusal);
    EXPECT_EQ(why_not(nested(depth, "{\"a\":", "}"), {.depth = depth}), "it was read");
    EXPECT_EQ(why_not(nested(depth + 1, "{\"a\":", "}"), {.depth = depth}), refusal);
  }
  EXPECT_EQ(why_not(nested(1'000'000, "[", "]")), "not JSON that we read: too many levels, at most 128");
}

TEST(Bounds, LimitTheMembersOfTheWholeDocument) {
  EXPECT_EQ(why_not(R"({"a":{"b":[1,2]}})", {.members = 4}), "it was read");
  EXPECT_EQ(why_not(R"({"a":{"b":[1,2]}})", {.members = 3}), "not JSON that we read: 4 members, at most 3");
  EXPECT_EQ(why_not("[1,[],{}]", {.members = 2}), "not JSON that we read: 3 members, at most 2");
  EXPECT_EQ(why_not("[[],[]]", {.members = 1}), "not JSON that we read: 2 members, at most 1");
  std::string list = "[0";
  for (int i = 1; i < 1'000'000; ++i) list += ",0";
  EXPECT_EQ(why_not(list + "]"), "it was read");
  EXPECT_EQ(why_not(list + ",0]"), "not JSON that we read: 1,000,001 members, at most 1,000,000");
}

TEST(Bounds, AreThoseOfEachCall) {
  auto deep = nested(20, "[", "]");
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(parse(deep, {.depth = 10}));
    EXPECT_TRUE(parse(deep));
    EXPECT_FALSE(read<std::vector<value>>(deep, {.depth = 10}));
  }
}

TEST(Bounds, WhatIsAsDeepAsTheyAllowIsWrittenComparedAndMerged) {
  auto text = nested(bounds{}.depth, "{\"a\":", "}");
  auto deep = parse(text).value(), copy = deep;
  EXPECT_EQ(dump(deep), text);
  EXPECT_EQ(*parse(pretty(deep)), deep);
  merge(copy, deep);
  EXPECT_EQ(copy, deep);
}

TEST(Time, ReadsAndWritesRfc3339) {
  EXPECT_EQ(to_text(*instant_from("2026-06-15T12:00:00.123456789+02:00")), "2026-06-15T10:00:00.123Z");
  EXPECT_FALSE(instant_from("2026-02-30T00:00:00Z"));
  EXPECT_FALSE(instant_from("2026-02-03T00:00:00"));
  EXPECT_EQ(to_text(*duration_from("1h30m")), "1h30m");
  EXPECT_EQ(*duration_from("1.5h"), std::chrono::minutes(90));
  EXPECT_EQ(*duration_from("7d"), std::chrono::hours(168));
  EXPECT_FALSE(duration_from("-5m"));
  for (auto text : {"nans", "infs", "1h nanm", "infinityd"}) EXPECT_FALSE(duration_from(text)) << text;
  EXPECT_FALSE(duration_from("5"));
}

TEST(Time, AnInstantThatIsReadCanBeWritten) {
  EXPECT_EQ(to_text(*instant_from("0000-01-01T00:00:00Z")), "0000-01-01T00:00:00Z");
  EXPECT_EQ(to_text(*instant_from("9999-12-31T23:59:59.999Z")), "9999-12-31T23:59:59.999Z");
  EXPECT_FALSE(instant_from("0000-01-01T00:00:00+00:01")) << "it is in the year before";
  EXPECT_FALSE(instant_from("9999-12-31T23:59:60Z")) << "it is in the year 10000";
}

TEST(Json, MayRefuseTwoMembersOfOneName) {
  EXPECT_TRUE(parse_strictly(R"({"a":{"b":1},"b":[{"a":1},{"a":2}]})"));
  EXPECT_EQ(parse_strictly(R"([{"a":{"b":1,"c":2,"b":3}}])").error().text(), R"(an object has two members "b"; remove one)");
  EXPECT_TRUE(parse(R"({"b":1,"b":3})"));
}

}  // namespace
}  // namespace kopiur::json
