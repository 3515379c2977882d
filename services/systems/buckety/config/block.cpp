#include "services/systems/buckety/config/block.hpp"

#include <ranges>

#include "common/encoding/join.hpp"

namespace kopiur::buckety {

std::string missing_field(std::string_view field) {
  return "missing required field \"" + std::string(field) + "\": it is absent or empty. Set it.";
}

std::string unknown_value(std::string_view field, std::string_view value, std::span<std::string_view const> known) {
  auto named = known | std::views::filter([](auto each) { return !each.empty(); });
  return "unknown " + std::string(field) + " \"" + std::string(value) + "\"; known are " + encoding::join(named);
}

void drop_if_empty(std::optional<std::string>& field) {
  if (field && field->empty()) field.reset();
}

namespace detail {

void field_check::fail(std::string const& path, std::string what) {
  if (!failed_) failed_ = block_.file.blame(path, std::move(what));
}

void field_check::substitute(std::string const& path, secret_text& field) {
  auto value = substituted(field.reveal(), block_.variables);
  if (!value) return fail(path, value.error());
  field = secret_text(std::move(*value));
}

void field_check::refuse_references(std::string const& path, std::string_view text) {
  if (text.contains("${")) fail(path, "env substitution is not supported here, only in secret fields. Write the value itself.");
}

void field_check::require_value(std::string const& path, std::string_view field, bool empty) {
  if (empty) fail(path, missing_field(field));
}

}  // namespace detail
}  // namespace kopiur::buckety
