#pragma once
#include <string_view>

#include "services/executor/core/openbao/ending.hpp"

/// What OpenBao's answers mean.
namespace kopiur::executor::openbao {

/// The errors in an answer, on one line; empty: it names none.
std::string errors_in(std::string_view body);

/// The token in the answer to a login.
outcome<std::string> read_login_answer(int http_status, std::string_view body);

/// What became of a submitted snapshot. OpenBao 2.4 stores and checks a snapshot before it answers, and applies it after that: a refusal
/// changes nothing. Certain refusals are 3xx (a standby), 4xx besides 408, 425 and 429, and 500 with the words of a damaged file or
/// of a file that it could not copy to its temporary folder.
report read_submission(int http_status, std::string_view body);
/// The same without an answer. `begun`: at least one byte of the snapshot was sent.
report no_answer(std::string const& why, bool begun);

/// Why OpenBao gave no snapshot.
trouble snapshot_refused(int http_status, std::string_view body);

}  // namespace kopiur::executor::openbao
