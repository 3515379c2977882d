#include "services/cli/core/json_path.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

constexpr auto schedule = R"({"metadata": {"name": "nightly"}, "spec": {"configRef": {"name": "photos"}, "sources": [[1, 2], [3], []]},
  "status": {"failures": 0, "none": null, "conditions": [{"reason": "untyped"}, {"type": "ConfigResolvable", "reason": "Resolved"},
             {"type": "Ready", "reason": "Suspended"}, {"type": "Ready", "reason": "second"}]}})";

/// The value as JSON; `none`: at_path() found nothing.
std::string found_at(std::string_view path) {
  static auto const object = json::parse(schedule).value();
  auto* found = at_path(object, path);
  return found ? json::dump(*found) : "none";
}

TEST(JsonPath, FindsMembersItemsAndConditions) {
  struct {
    char const *path, *found;
  } const cases[] = {
      {".spec.configRef.name", R"("photos")"},
      {".spec.configRef", R"({"name":"photos"})"},
      {".status.failures", "0"},
      {".status.none", "null"},
      {".status.conditions[1].type", R"("ConfigResolvable")"},
      {".status.conditions[3]", R"({"type":"Ready","reason":"second"})"},
      {".spec.sources[0][1]", "2"},
      {".spec.sources[1]", "[3]"},
      {R"(.status.conditions[?(@.type=="Ready")].reason)", R"("Suspended")"},
      {R"(.status.conditions[?(@.type=="ConfigResolvable")])", R"({"type":"ConfigResolvable","reason":"Resolved"})"},
  };
  for (auto& each : cases) EXPECT_EQ(found_at(each.path), each.found) << each.path;
}

TEST(JsonPath, IsTheObjectItselfWhereNothingIsLeftOfThePath) {
  auto object = json::parse("[7]").value();
  EXPECT_EQ(at_path(object, ""), &object);
  EXPECT_EQ(json::dump(*at_path(object, "[0]")), "7");
}

TEST(JsonPath, FindsNothingWhereTheValueIsMissing) {
  for (auto* path : {".no.such", ".spec.sources[2][0]", ".metadata.name.deeper", ".status.none.deeper", ".status.conditions[4]",
                     ".status.conditions[0].type", R"(.status.conditions[?(@.type=="Stalled")].reason)", ".metadata[0]",
                     R"(.metadata[?(@.type=="Ready")])", ".status.conditions.type"})
    EXPECT_EQ(found_at(path), "none") << path;
}

TEST(JsonPath, FindsNothingWhereThePathHasAnotherForm) {
  for (auto* path : {"status", "status.failures", ".", ".status.", ".status..failures", ".status.conditions[x]", ".status.conditions[]",
                     ".status.conditions[-1]", ".status.conditions[0", ".status.conditions[1]type", ".status.conditions[*].type",
                     R"(.status.conditions[?(@.kind=="Ready")])", R"(.status.conditions[?(@.type=="Ready')])",
                     R"(.status.conditions[?(@.type==")])", R"(.status.conditions[?(@.type=='Ready')])"})
    EXPECT_EQ(found_at(path), "none") << path;
}

}  // namespace
}  // namespace kopiur::cli
