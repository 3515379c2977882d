#include <algorithm>

#include "common/config/manifest.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

/// Upper limit in bytes: aliases may multiply a small text, and YAML is slow to read.
constexpr std::size_t compared = 8 << 10;

bool is_within(config::position const& position, std::string_view text) {
  return position.line <= 1 + std::ranges::count(text, '\n') && position.column >= 0;
}

}  // namespace

void look(std::string_view input) {
  auto read = config::read_manifests(input, "input.yaml");
  if (!read) {
    require(!read.error().what.empty() && read.error().file == "input.yaml", "a refusal says what is wrong, and in which file");
    return require(is_within(read.error().position, input), "a refusal names a place in the text");
  }
  for (auto& one : *read) {
    require(is_within(one.where.find("spec.schedule"), input), "a field has a place in the text");
    auto text = json::dump(one.content);
    if (text.size() > compared) continue;
    auto again = config::read_manifests(config::to_yaml(one.content), "again.yaml");
    require(again && again->size() == 1, "what was written as YAML is one document");
    require(json::dump(again->front().content) == text, "what was written as YAML is read as the same value");
  }
}

}  // namespace kopiur::fuzz
