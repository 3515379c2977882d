#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kopiur::http {

/// The header of an answer.
struct answer_head {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> fields{};  ///< names in lower case
  /// The first value of a name in lower case; empty: none.
  std::string_view operator[](std::string_view name) const;
};

/// How far a request came that failed.
struct attempt_trace {
  bool heard = false;                   ///< some byte of an answer came
  bool touched_body = false;            ///< some byte of the body was read from its source
  std::exception_ptr source_failure{};  ///< what upload::read threw
};

}  // namespace kopiur::http
