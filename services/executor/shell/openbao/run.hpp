#pragma once
#include <expected>
#include <string>

#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor::openbao {

enum class step { restore, backup, settle };

/// The step that EXECUTOR_MODE names, for the name backup-executor: restore, settle, and backup or nothing. The error is a sentence.
std::expected<step, std::string> step_of(environment const& variables);

/// Does the step until it is done or SIGTERM or SIGINT. Returns the exit status, see core/openbao/ending.hpp. A line of JSON goes to stdout
/// and to the termination log, the reason of a failure to stderr too.
int run(step what, environment const& variables);
/// As run(), when it is not known what to do.
int refuse(std::string const& why, environment const& variables);

}  // namespace kopiur::executor::openbao
