#include "services/systems/buckety/config/block.hpp"

namespace kopiur::buckety::detail {

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
  if (empty) fail(path, "missing required field \"" + std::string(field) + "\": it is absent or empty. Set it.");
}

}  // namespace kopiur::buckety::detail
