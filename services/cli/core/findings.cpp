#include "services/cli/core/findings.hpp"

#include <algorithm>

#include "proto/codec.hpp"

namespace kopiur::cli {

namespace {

finding manifest_problem(json::value const& problem) {
  auto* line = problem.find("line");
  auto place = std::string(problem.text("file")) + (line && line->as_int() && *line->as_int() ? ":" + std::to_string(*line->as_int()) : "");
  auto field = problem.text("field").empty() ? std::string() : std::string(problem.text("field")) + ": ";
  return {mood::bad, "manifest", place, field + std::string(problem.text("message"))};
}

}  // namespace

std::vector<finding> manifest_problems(std::span<json::value const> reports) {
  std::vector<finding> found;
  for (auto& report : reports) {
    auto* problems = report.find("problems");
    auto* items = problems ? problems->as_array() : nullptr;
    if (items) std::ranges::transform(*items, std::back_inserter(found), manifest_problem);
  }
  return found;
}

mood worst(std::vector<finding> const& findings) {
  auto found = std::ranges::max_element(findings, {}, &finding::mood);
  return found == findings.end() ? mood::good : found->mood;
}

std::string summary(std::vector<finding> const& findings) {
  auto count = [&](mood state) { return std::ranges::count(findings, state, &finding::mood); };
  if (auto bad = count(mood::bad)) return std::to_string(bad) + (bad == 1 ? " thing needs you." : " things need you.");
  if (auto notes = count(mood::attention)) return "All backups are on time; " + std::to_string(notes) + (notes == 1 ? " note." : " notes.");
  return "All is well.";
}

cell mood_cell(mood state) {
  switch (state) {
    case mood::good:
      return {"ok", tone::good};
    case mood::waiting:
      return {"...", tone::dim};
    case mood::attention:
      return {"note", tone::warn};
    case mood::bad:
      return {"BAD", tone::bad};
  }
  return {};
}

table findings_table(std::vector<finding> const& findings) {
  table out{.columns = {"", "WHAT", "NAME", "STATUS"}, .rows = {}};
  for (auto& one : findings)
    out.rows.push_back(
        {mood_cell(one.mood), one.area, cell(one.subject, tone::strong), cell(one.text, one.mood == mood::bad ? tone::bad : tone::plain)});
  return out;
}

json::value findings_json(std::vector<finding> const& findings) {
  auto out = json::value::make_array();
  for (auto& one : findings)
    out.push(json::object{{"mood", json::to_text(one.mood)}, {"area", one.area}, {"subject", one.subject}, {"text", one.text}});
  return out;
}

}  // namespace kopiur::cli
