#pragma once
#include <string>

#include "common/json/value.hpp"
#include "services/cli/core/table.hpp"
#include "services/cli/shell/verbs.hpp"

/// Output of verbs. Results go to stdout; progress and remarks to stderr.
namespace kopiur::cli {

/// Colours: only on a terminal, never with NO_COLOR.
bool colours();

/// Prints the table, or the value as JSON or YAML, according to `-o`; `nothing` is printed when a table has no rows.
void print(settings const& settings, table const& shown, json::value const& content, std::string const& nothing);
/// Prints only the value: JSON, or YAML for `-o yaml` and for `table`, since a single value has no table.
void print(settings const& settings, json::value const& content);
/// One line to stdout.
void say(std::string const& text, tone style = tone::plain);

/// One line of progress on stderr that replaces itself on a terminal; elsewhere a line only when `text` changes, at most every 10 s.
class progress_line {
 public:
  progress_line() = default;
  progress_line(progress_line const&) = delete;
  ~progress_line() { clear(); }
  void show(std::string const& text, instant now);
  void clear();

 private:
  std::string last_;
  instant time_{};
  bool drawn_ = false;
};

}  // namespace kopiur::cli
