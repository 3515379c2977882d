#include "common/testing/trace.hpp"

namespace kopiur::testing {

std::string trace_ring::to_text() const {
  std::string text;
  for (auto i = written_ - std::min(written_, lines_.size()); i < written_; ++i) {
    auto const& one = lines_[i % lines_.size()];
    text += "    #" + std::to_string(one.step) + " " + kopiur::to_text(one.time) + " " + one.who + ": " + one.did;
    if (!one.what.empty()) text += " " + one.what;
    if (!one.outcome.empty()) text += " -> " + one.outcome;
    text += '\n';
  }
  return text;
}

}  // namespace kopiur::testing
