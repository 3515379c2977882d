#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::cli {

/// Why a dead letter of this subject must not be sent again; empty: it may. Only requests may: the last fact of a subject counts, so an old
/// one would overwrite newer state. A fact is still in its own stream, where every service that can decode it reads it.
std::optional<std::string> why_not_again(std::string_view subject);

}  // namespace kopiur::cli
