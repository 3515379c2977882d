#include "common/kubernetes/error.hpp"

#include <algorithm>

#include "common/encoding/number.hpp"
#include "common/json/value.hpp"

namespace kopiur::kubernetes {

namespace {

/// By the reason, if there is one: 409 has two meanings.
failure code_of(int status, std::string_view reason, std::string_view message) {
  bool is_full = status == 403 && message.find("exceeded quota") != message.npos;  // the quota may be raised, or usage may fall
  if (is_full) return failure::unavailable;
  if (reason == "AlreadyExists") return failure::already_exists;
  if (status == 404) return failure::not_found;
  if (status == 409) return failure::conflict;
  if (status == 401 || status == 403) return failure::forbidden;
  if (status == 429) return failure::too_many_requests;
  return status >= 500 ? failure::unavailable : failure::invalid;
}

duration from_seconds(std::int64_t seconds) { return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, 3600)); }

/// Whole seconds; no API server sends a date, which HTTP also allows.
duration from_header(std::string_view text) { return from_seconds(encoding::leading_number<std::int64_t>(text).value_or(0)); }

}  // namespace

error read_error(int status, std::string_view retry_after, std::string_view body, std::string_view what) {
  constexpr std::size_t enough = 300;
  constexpr json::bounds of_status{.bytes = 1 << 20, .depth = 32, .members = 10'000};
  auto said = json::parse(body, of_status).value_or(json::value());
  bool is_status = said.text("kind") == "Status";
  auto reason = is_status ? said.text("reason") : std::string_view();
  auto message = is_status ? said.text("message") : body.substr(0, std::min(body.find('\n'), enough));
  error found{
      .code = code_of(status, reason, message),
      .message = std::string(what) + " was answered with " + std::to_string(status) + (message.empty() ? "" : ": ") + std::string(message),
      .status = status,
      .retry_after = from_header(retry_after),
      .expired = status == 410 || reason == "Expired" || reason == "Gone"};
  if (!found.message.ends_with('.')) found.message += '.';
  auto* after = said.at("details.retryAfterSeconds");
  if (after && after->as_int() && found.retry_after == duration(0)) found.retry_after = from_seconds(*after->as_int());
  return found;
}

}  // namespace kopiur::kubernetes
