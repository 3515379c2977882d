#include <boost/asio.hpp>

#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

std::string trimmed(std::string const& text) {
  constexpr auto blanks = " \t\r\n";
  auto begin = text.find_first_not_of(blanks);
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? "" : trimmed(found->second);
}

}  // namespace kopiur::executor
