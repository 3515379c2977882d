#include "services/cli/core/findings.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

finding with_mood(mood state) { return {state, "backup", "default/b", "text"}; }

TEST(Findings, TheWorstDecides) {
  EXPECT_EQ(worst({}), mood::good);
  EXPECT_EQ(worst({with_mood(mood::waiting), with_mood(mood::good)}), mood::waiting);
  EXPECT_EQ(worst({with_mood(mood::attention), with_mood(mood::waiting)}), mood::attention);
  EXPECT_EQ(worst({with_mood(mood::good), with_mood(mood::bad), with_mood(mood::attention)}), mood::bad);
}

TEST(Findings, TheSummaryCountsOnlyTheMostUrgentOnes) {
  struct {
    std::vector<finding> found;
    char const* text;
  } const cases[] = {
      {{with_mood(mood::good), with_mood(mood::waiting)}, "All is well."},
      {{with_mood(mood::good), with_mood(mood::attention)}, "All backups are on time; 1 note."},
      {{with_mood(mood::attention), with_mood(mood::attention)}, "All backups are on time; 2 notes."},
      {{with_mood(mood::attention), with_mood(mood::bad)}, "1 thing needs you."},
      {{with_mood(mood::bad), with_mood(mood::bad), with_mood(mood::attention)}, "2 things need you."},
  };
  for (auto& each : cases) EXPECT_EQ(summary(each.found), each.text);
}

TEST(Findings, EachMoodHasAWordAndAColour) {
  struct {
    mood state;
    char const* word;
    tone colour;
  } const cases[] = {{mood::good, "ok", tone::good},
                     {mood::waiting, "...", tone::dim},
                     {mood::attention, "note", tone::warn},
                     {mood::bad, "BAD", tone::bad}};
  for (auto& each : cases) {
    EXPECT_EQ(mood_cell(each.state).text, each.word);
    EXPECT_EQ(mood_cell(each.state).tone, each.colour) << each.word;
  }
}

TEST(Findings, AreRowsWhoseSentenceIsRedOnlyWhereItIsBad) {
  auto shown = findings_table({with_mood(mood::bad), with_mood(mood::attention)});
  EXPECT_EQ(render(shown, false),
            "      WHAT    NAME       STATUS\n"
            "BAD   backup  default/b  text\n"
            "note  backup  default/b  text\n");
  EXPECT_EQ(shown.rows[0][3].tone, tone::bad);
  EXPECT_EQ(shown.rows[1][3].tone, tone::plain);
}

TEST(Findings, AreAListOfObjectsForScripts) {
  EXPECT_EQ(json::dump(findings_json({with_mood(mood::attention)})),
            R"([{"mood":"attention","area":"backup","subject":"default/b","text":"text"}])");
  EXPECT_EQ(json::dump(findings_json({})), "[]");
}

TEST(ManifestProblems, NameFileLineAndFieldWhereTheyAreKnown) {
  std::vector<json::value> const reports{
      json::parse(R"({"problems": [{"file": "a.yaml", "line": 7, "field": "spec.cron", "message": "It is not a cron expression."},
                                   {"file": "b.yaml", "line": 0, "message": "It cannot be read."}]})")
          .value(),
      json::parse(R"({"problems": [{"file": "c.yaml", "message": "It is empty."}]})").value()};
  auto found = manifest_problems(reports);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].subject + " | " + found[0].text, "a.yaml:7 | spec.cron: It is not a cron expression.");
  EXPECT_EQ(found[1].subject + " | " + found[1].text, "b.yaml | It cannot be read.");
  EXPECT_EQ(found[2].subject, "c.yaml") << "of the second report";
  for (auto& each : found) EXPECT_TRUE(each.mood == mood::bad && each.area == "manifest") << each.subject;
}

TEST(ManifestProblems, AreNoneWhereAReportListsNone) {
  for (auto* report : {"{}", R"({"problems": []})", R"({"problems": "none"})"}) {
    std::vector<json::value> const reports{json::parse(report).value()};
    EXPECT_TRUE(manifest_problems(reports).empty()) << report;
  }
}

}  // namespace
}  // namespace kopiur::cli
