#pragma once
#include <initializer_list>
#include <optional>

#include "common/encoding/number.hpp"
#include "common/encoding/text.hpp"
#include "services/executor/core/environment.hpp"

namespace kopiur::executor::openbao {

/// Reads variables, and keeps the first problem: a sentence.
class variable_reader {
 public:
  explicit variable_reader(environment const& from) : from_(from) {}

  std::string const& problem() const { return problem_; }
  void complain(std::string sentence) {
    if (problem_.empty()) problem_ = std::move(sentence);
  }

  /// The first that is set, else `otherwise`.
  std::string text(std::initializer_list<std::string> names, std::string otherwise = {}) const {
    for (auto& name : names)
      if (auto found = variable(from_, name); !found.empty()) return found;
    return otherwise;
  }
  std::string needed(std::string const& name) {
    auto found = text({name});
    if (found.empty()) complain("The variable " + name + " is not set. Set it in the Job's container.");
    return found;
  }
  bool flag(std::initializer_list<std::string> names) {
    auto found = encoding::lower_case(text(names));
    for (auto each : {"true", "t", "1"})
      if (found == each) return true;
    for (auto each : {"", "false", "f", "0"})
      if (found == each) return false;
    complain("The variable " + *names.begin() + " is neither true nor false.");
    return false;
  }
  template <class T>
  std::optional<T> number(std::string const& name, T least, T most) {
    auto found = text({name});
    if (found.empty()) return {};
    auto value = encoding::whole_number<T>(found);
    if (value && *value >= least && *value <= most) return value;
    complain("The variable " + name + " is not a number from " + std::to_string(least) + " to " + std::to_string(most) + ".");
    return {};
  }

 private:
  environment const& from_;
  std::string problem_;
};

}  // namespace kopiur::executor::openbao
