#include "common/json/value.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
void look(std::string_view input) {
  auto read = json::parse(input);
  if (!read) return require(!read.error().what.empty(), "a refusal says why");
  auto text = json::dump(*read);
  auto again = json::parse(text);
  require(again && json::dump(*again) == text, "what was written is read, and written the same");
  auto wide = json::parse(json::pretty(*read));
  require(wide && json::dump(*wide) == text, "the form for people holds the same");
  require(*again == *read, "what was written is read as the same value");
  json::value once, twice;
  json::merge(once, *read);
  twice = once;
  json::merge(twice, *read);
  require(once == twice, "a merge patch that is applied twice changes nothing more");
}

}  // namespace kopiur::fuzz
