#include "services/cli/core/json_path.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

constexpr auto schedule = R"({"metadata": {"name": "nightly"}, "spec": {"configRef": {"name": "photos"}},
  "status": {"conditions": [{"type": "ConfigResolvable", "reason": "Resolved"}, {"type": "Ready", "reason": "Suspended"}]}})";

TEST(JsonPath, FindsMembersItemsAndConditions) {
  auto object = json::parse(schedule).value();
  auto text = [&](std::string_view path) {
    auto* found = at_path(object, path);
    return found && found->as_string() ? *found->as_string() : std::string("none");
  };
  EXPECT_EQ(text(".spec.configRef.name"), "photos");
  EXPECT_EQ(text(".status.conditions[0].type"), "ConfigResolvable");
  EXPECT_EQ(text(R"(.status.conditions[?(@.type=="Ready")].reason)"), "Suspended");
  for (auto* path : {".status.conditions[2].type", ".status.conditions[x].type", ".status.conditions[0", ".no.such", "status", ".",
                     R"(.status.conditions[?(@.type=="Stalled")].reason)", ".metadata[0]"})
    EXPECT_EQ(text(path), "none") << path;
}

}  // namespace
}  // namespace kopiur::cli
