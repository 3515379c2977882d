#pragma once
#include <expected>
#include <string>

#include "proto/events/command.hpp"

namespace kopiur::gateway {

/// Why something was not done: the code that the asker branches on, and a sentence for people.
struct refusal {
  proto::answer_code code = proto::answer_code::Invalid;
  std::string message;
  bool operator==(refusal const&) const = default;
};
template <class T>
using outcome = std::expected<T, refusal>;

inline std::unexpected<refusal> refuse(proto::answer_code code, std::string message) {
  return std::unexpected(refusal{code, std::move(message)});
}

}  // namespace kopiur::gateway
