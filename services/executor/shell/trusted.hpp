#pragma once
#include "common/http/trust.hpp"

namespace kopiur::executor {

/// The authorities of --ca-file besides the system's; without a file only those. The error is a sentence.
std::expected<http::certificates, std::string> trusted_by(std::string const& ca_file);

}  // namespace kopiur::executor
