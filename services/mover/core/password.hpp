#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::mover {

/// Why no repository may be created with this password; nothing: it is sound. `cut`: the password contained a zero byte and was truncated
/// there. An existing repository with such a password can still be opened: its owner could not read it with another password.
std::optional<std::string> unfit_password(std::string_view password, bool cut);

}  // namespace kopiur::mover
