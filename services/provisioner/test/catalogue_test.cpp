#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "common/files/files.hpp"
#include "services/systems/buckety/rules/standing.hpp"

namespace kopiur::provisioner {
namespace {

/// What a user may read in a condition or an Event is explained in conditions.md.
TEST(Catalogue, HasEveryReason) {
  auto const folder = std::filesystem::path(KOPIUR_SOURCE_DIR) / "services/provisioner";
  auto const page = files::read_file(folder / "conditions.md").value();
  std::size_t seen = 0;
  auto expect = [&](std::string const& word) {
    ++seen;
    EXPECT_TRUE(std::regex_search(page, std::regex("\\b" + word + "\\b"))) << word;
  };
  std::regex const reason(
      R"re((?:fail\((?:it, )?|wait\(|fail\(\{view\}, |reason = (?:major \? )?|event = |remove_implicit\()"([A-Z][A-Za-z]+)")re");
  for (auto file : {"core/decision.cpp", "core/access_decision.cpp", "core/conditions.cpp"}) {
    auto const text = files::read_file(folder / file).value();
    for (std::sregex_iterator each(text.begin(), text.end(), reason), end; each != end; ++each) expect((*each)[1]);
  }
  EXPECT_GT(seen, 25u);
  for (auto standing : {buckety::backend_standing::NotInConfig, buckety::backend_standing::DriverChanged,
                        buckety::backend_standing::StoreChanged, buckety::backend_standing::DriverMajorBump})
    expect(std::string(json::to_text(standing)));
}

}  // namespace
}  // namespace kopiur::provisioner
