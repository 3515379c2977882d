#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::buckety {

/// Looks up a variable of the controller's environment. A variable that is set but empty has a value.
using environment = std::function<std::optional<std::string>(std::string const& name)>;

/// Replaces `${NAME}`, `${NAME:-default}` and `$$` (a literal `$`) in one pass: values are not read again. A `$` before anything else is
/// itself. The error names a variable or a position; it never repeats the text, which is a secret.
[[nodiscard]] std::expected<std::string, std::string> substituted(std::string_view text, environment const& variables);

}  // namespace kopiur::buckety
