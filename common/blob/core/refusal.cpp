#include "common/blob/core/refusal.hpp"

#include <algorithm>

namespace kopiur::blob {

namespace {

failure by_status(int status) {
  if (status == 404) return failure::absent;
  if (status == 401 || status == 403) return failure::denied;
  if (status == 409 || status == 412) return failure::conflict;
  if (status == 405 || status == 501) return failure::unsupported;
  if (status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504) return failure::unavailable;
  if (status >= 300 && status < 500) return failure::invalid;
  return failure::other;
}

/// A short clause: one line, no final point.
std::string clause(std::string text) {
  if (text.size() > 300) text = text.substr(0, 300) + "...";
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
  return text;
}

/// S3 refuses requests whose time is 15 minutes away from its own. After HEAD only the header Date says so.
bool is_skewed(refusal const& answer, failure kind) {
  if (answer.document.code == "RequestTimeTooSkewed") return true;
  return kind == failure::denied && answer.theirs && std::chrono::abs(*answer.theirs - answer.ours) > std::chrono::minutes(14);
}

std::string advice_of(refusal const& answer, meaning const* known, failure kind) {
  if (!is_skewed(answer, kind)) return known ? std::string(known->advice) : "";
  auto theirs = answer.theirs ? kopiur::to_text(*answer.theirs) : clause(answer.document.server_time);
  return "The clock of this machine and that of the store" + (theirs.empty() ? "" : " (" + theirs + ")") +
         " differ by too much. Set the wrong one, for example by NTP";
}

}  // namespace

error classify(refusal const& answer, std::string const& action, dialect const& spoken) {
  auto& document = answer.document;
  auto found = std::ranges::find(spoken.meanings, std::string_view(document.code), &meaning::code);
  auto* known = found == spoken.meanings.end() ? nullptr : &*found;
  auto kind = known ? known->kind : by_status(answer.status);
  auto code = clause(document.code.substr(0, 100));
  auto message =
      action + " failed: " + std::string(spoken.name) + " answered " + std::to_string(answer.status) + (code.empty() ? "" : " " + code);
  if (auto said = clause(document.message); !said.empty()) message += ": " + said;
  if (auto advice = advice_of(answer, known, kind); !advice.empty()) message += ". " + advice;
  return {.kind = kind,
          .status = answer.status,
          .code = code,
          .request = clause(document.request.empty() ? answer.request : document.request),
          .message = message + "."};
}

}  // namespace kopiur::blob
