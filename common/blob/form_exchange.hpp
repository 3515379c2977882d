#pragma once
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::blob {

/// A form that a service exchanges for credentials.
struct form_exchange {
  std::string action, service;       ///< the beginning of a sentence; the service's name in the middle of one
  std::string form;                  ///< empty: a GET, which has none
  std::vector<std::string> secrets;  ///< no message contains them
  error (*refused)(int status, std::string_view body, std::string const& action) = nullptr;
  std::string luck;  ///< callers with another one have other pauses
  int attempts = 5;
  backoff_policy pauses{};
};

/// Reads the answer with status 200. The error is a clause.
using answer_reader = std::function<std::expected<void, std::string>(std::string_view text)>;

/// Sends the form to `where`, its address and how it is reached, and repeats what may pass. `time` outlives it.
awaitable_result<void> exchange(clock& time, transport through, http::streamed_request where, form_exchange what, answer_reader read);

}  // namespace kopiur::blob
