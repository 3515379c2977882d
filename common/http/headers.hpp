#pragma once
#include <string>
#include <utility>
#include <vector>

namespace kopiur::http {

/// Why a request must not be sent: a sentence; empty: it may. A line break in a value would begin another header.
std::string header_problem(std::string const& method, std::vector<std::pair<std::string, std::string>> const& headers);

}  // namespace kopiur::http
