#pragma once
#include <expected>
#include <string>

#include "proto/events/command.hpp"

namespace kopiur::gateway {

/// Why something was not done: a code on which the caller branches, and a sentence for users.
struct refusal {
  proto::answer_code code = proto::answer_code::Invalid;
  std::string message;
  bool operator==(refusal const&) const = default;
};
template <class T>
using outcome = std::expected<T, refusal>;

/// True for failures that may be temporary: nothing was done, or the outcome is unknown. The same request may be repeated.
inline bool may_pass(proto::answer_code code) {
  return code == proto::answer_code::Unavailable || code == proto::answer_code::TooManyRequests || code == proto::answer_code::Ambiguous;
}

inline std::unexpected<refusal> refuse(proto::answer_code code, std::string message) {
  return std::unexpected(refusal{code, std::move(message)});
}

}  // namespace kopiur::gateway
