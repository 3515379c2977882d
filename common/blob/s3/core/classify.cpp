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

}  // namespace

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
