#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Text in columns. Pure: the caller decides whether to use colours.
namespace kopiur::cli {

enum class tone { plain, good, warn, bad, dim, strong };

struct cell {
  std::string text;
  cli::tone tone = tone::plain;
  cell() = default;
  cell(std::string t, cli::tone style = tone::plain) : text(std::move(t)), tone(style) {}
  cell(char const* t, cli::tone style = tone::plain) : text(t), tone(style) {}
};
using table_row = std::vector<cell>;

struct table {
  std::vector<std::string> columns;
  std::vector<table_row> rows;
};

/// The text in its tone (ANSI), or unchanged.
std::string painted(std::string_view text, tone style, bool colours);
/// Heading and rows, columns two spaces apart, no trailing spaces. Without rows: empty. Control characters in cells become `?`, so that no
/// name can control a terminal.
std::string render(table const& what, bool colours);

}  // namespace kopiur::cli
