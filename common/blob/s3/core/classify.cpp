#include "common/blob/s3/core/classify.hpp"

#include <algorithm>
#include <array>

namespace kopiur::blob::s3 {

namespace {

constexpr std::array meanings{
    meaning{"NoSuchBucket", failure::absent, "Create the bucket, or check its name and the endpoint"},
    meaning{"NoSuchKey", failure::absent},
    meaning{"NoSuchVersion", failure::absent},
    meaning{"NoSuchUpload", failure::absent},
    meaning{"NoSuchLifecycleConfiguration", failure::absent},
    meaning{"AccessDenied", failure::denied, "Allow it in the policy of these credentials or of the bucket"},
    meaning{"InvalidAccessKeyId", failure::denied, "Check the access key, and that the endpoint is the right one"},
    meaning{"XAdminUserNotFound", failure::denied, "Check the access key"},  // versitygw, with status 404
    meaning{"SignatureDoesNotMatch", failure::denied, "Check the secret key, and that no proxy changes requests"},
    meaning{"ExpiredToken", failure::denied, "Renew the session token"},
    meaning{"InvalidToken", failure::denied, "Renew the session token"},
    meaning{"RequestTimeTooSkewed", failure::denied},
    meaning{"InvalidPart", failure::invalid, "A part, or its checksum, is not what the store has. Upload the object again"},
    meaning{"KMS.NotFoundException", failure::invalid, "Check the ARN of the KMS key, and that it is in the region of the bucket"},
    meaning{"KMS.DisabledException", failure::invalid, "Enable the KMS key, or choose another one"},
    meaning{"BucketAlreadyExists", failure::taken, "Choose another name"},
    meaning{"BucketAlreadyOwnedByYou", failure::owned},
    meaning{"BucketNotEmpty", failure::conflict, "Remove its objects, versions and unfinished uploads first"},
    meaning{"PreconditionFailed", failure::conflict},
    meaning{"ConditionalRequestConflict", failure::conflict},
    meaning{"OperationAborted", failure::unavailable},
    meaning{"NotImplemented", failure::unsupported},
    meaning{"MethodNotAllowed", failure::unsupported},
    meaning{"SlowDown", failure::unavailable},
    meaning{"ServiceUnavailable", failure::unavailable},
    meaning{"InternalError", failure::unavailable},
    meaning{"RequestTimeout", failure::unavailable},
    meaning{"PermanentRedirect", failure::invalid, "Set the region and the endpoint of the bucket"},
    meaning{"TemporaryRedirect", failure::unavailable},
    meaning{"AuthorizationHeaderMalformed", failure::invalid, "Set the region of the bucket"},
};

failure by_status(int status) {
  if (status == 404) return failure::absent;
  if (status == 401 || status == 403) return failure::denied;
  if (status == 409 || status == 412) return failure::conflict;
  if (status == 405 || status == 501) return failure::unsupported;
  if (status == 429 || status == 500 || status == 502 || status == 503 || status == 504) return failure::unavailable;
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

error classify(refusal const& answer, std::string const& action) { return classify(answer, action, {"the store", meanings}); }

std::optional<std::string> other_region(refusal const& answer, std::string const& used) {
  auto& code = answer.document.code;
  bool elsewhere = answer.status == 301 || answer.status == 307 ||
                   (answer.status == 400 && (code.empty() || code == "AuthorizationHeaderMalformed" || code == "InvalidRegion"));
  auto& named = answer.region.empty() ? answer.document.region : answer.region;
  bool is_region = !named.empty() && named.size() <= 64 &&
                   std::ranges::all_of(named, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  if (!elsewhere || !is_region || named == used) return std::nullopt;
  return named;
}

}  // namespace kopiur::blob::s3
