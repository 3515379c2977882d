#pragma once
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// One line of JSON per event: a constant dotted name and fields. Never log a secret, never inside a loop, never in a core.
namespace kopiur::log {

enum class level { debug, info, warning, error };

struct field {
  std::string_view name;
  json::value content;
};
using fields = std::initializer_list<field>;

struct options {
  level least = level::info;
  std::string file;                  ///< empty: stderr
  std::size_t max_bytes = 16 << 20;  ///< of the file; then `a.log` becomes `a.1.log`, that one `a.2.log`, ...
  std::size_t kept = 4;              ///< older files
};
/// Call once, at the start of a process. Before that, and in tests, only warnings and errors are written, to stderr.
void start(options);

void write(level, std::string_view service, std::string_view event, fields);

/// The log of one service; a value to pass around.
class logger {
 public:
  explicit logger(std::string service) : service_(std::move(service)) {}
  void debug(std::string_view event, fields fields = {}) const { write(level::debug, service_, event, fields); }
  void info(std::string_view event, fields fields = {}) const { write(level::info, service_, event, fields); }
  void warning(std::string_view event, fields fields = {}) const { write(level::warning, service_, event, fields); }
  void error(std::string_view event, fields fields = {}) const { write(level::error, service_, event, fields); }

 private:
  std::string service_;
};

}  // namespace kopiur::log
