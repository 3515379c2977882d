#include "common/http/headers.hpp"

#include <algorithm>
#include <boost/beast/http/verb.hpp>

namespace kopiur::http {

namespace {

bool is_header_value(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7F); });
}
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("!#$%&'*+-.^_`|~").contains(static_cast<char>(c));
  });
}

}  // namespace

std::string header_problem(std::string const& method, std::vector<std::pair<std::string, std::string>> const& headers) {
  if (boost::beast::http::string_to_verb(method) == boost::beast::http::verb::unknown) return "\"" + method + "\" is not an HTTP method.";
  for (auto const& [name, value] : headers)
    if (!is_token(name) || !is_header_value(value))
      return "The header \"" + name + "\" is none: a name or value holds what no header may hold.";
  return "";
}

}  // namespace kopiur::http
