#include "services/executor/shell/termination_log.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace kopiur::executor {

void write_termination_log(environment const& variables, std::string const& text) {
  auto set = variables.find("KOPIUR_TERMINATION_LOG");
  auto path = set == variables.end() ? "/dev/termination-log" : set->second;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return;
  std::ofstream log(path, std::ios::binary | std::ios::trunc);
  if (!log || !(log << text).flush()) std::fprintf(stderr, "The termination log %s cannot be written.\n", path.c_str());
}

}  // namespace kopiur::executor
