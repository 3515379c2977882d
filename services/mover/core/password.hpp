#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::mover {

/// Why no repository is made with this password; nothing: it is sound. `cut`: a zero byte stood in it, and what followed is lost. One that
/// opens a repository which is there goes on doing so: who made it with such a password could not read it with another.
std::optional<std::string> unfit_password(std::string_view password, bool cut);

}  // namespace kopiur::mover
