#pragma once
#include <expected>
#include <string>

#include "services/controller/core/objects.hpp"

namespace kopiur::cli {

/// The shrinkage that `kopiur accept` accepts of a Backup; the error is a sentence (there is nothing to accept).
std::expected<proto::shrinkage, std::string> acceptable(controller::objects const& all, std::string const& ns, std::string const& name);
/// What it prints afterwards.
std::string accepted_text(std::string const& name, proto::shrinkage const& accepted);

}  // namespace kopiur::cli
