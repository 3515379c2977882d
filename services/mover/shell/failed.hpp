#pragma once
#include <exception>

#include "services/mover/core/failure.hpp"

namespace kopiur::mover {

/// Ends the run: a step throws it, and the code that writes the result catches it.
struct failed_run : std::exception {
  explicit failed_run(proto::run_failure why) : why(std::move(why)) {}
  explicit failed_run(proto::kopia_failure what, std::string sentence = {}) : why(failure(what, std::move(sentence))) {}
  char const* what() const noexcept override { return why.message.c_str(); }
  proto::run_failure why;
};

}  // namespace kopiur::mover
