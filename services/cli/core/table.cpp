#include "services/cli/core/table.hpp"

#include <algorithm>

#include "services/cli/core/formatting.hpp"

namespace kopiur::cli {

namespace {

/// Width on a terminal: counts the bytes that begin a UTF-8 character.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view code(tone style) {
  switch (style) {
    case tone::plain:
      return "";
    case tone::good:
      return "32";
    case tone::warn:
      return "33";
    case tone::bad:
      return "1;31";
    case tone::dim:
      return "2";
    case tone::strong:
      return "1";
  }
  return "";
}

std::string line(table_row const& cells, std::vector<std::size_t> const& widths, bool colours) {
  std::size_t last = cells.size();
  while (last > 0 && cells[last - 1].text.empty()) --last;
  std::string out;
  for (std::size_t i = 0; i < last; ++i) {
    auto text = harmless(cells[i].text);
    out += painted(text, cells[i].tone, colours);
    if (i + 1 < last) out.append(widths[i] + 2 - width(text), ' ');
  }
  return out + "\n";
}

}  // namespace

std::string painted(std::string_view text, tone style, bool colours) {
  if (!colours || text.empty() || code(style).empty()) return std::string(text);
  return "\033[" + std::string(code(style)) + "m" + std::string(text) + "\033[0m";
}

std::string render(table const& what, bool colours) {
  if (what.rows.empty()) return {};
  table_row head;
  for (auto& name : what.columns) head.emplace_back(name, tone::dim);
  std::vector<std::size_t> widths;
  for (auto& name : what.columns) widths.push_back(width(name));
  for (auto& row : what.rows)
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) widths[i] = std::max(widths[i], width(row[i].text));
  auto out = line(head, widths, colours);
  for (auto& row : what.rows) out += line(row, widths, colours);
  return out;
}

}  // namespace kopiur::cli
