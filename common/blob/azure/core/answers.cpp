#include "common/blob/azure/core/answers.hpp"

#include <array>

#include "common/blob/core/xml_document.hpp"
#include "common/encoding/base64.hpp"

namespace kopiur::blob::azure {

namespace {

constexpr std::string_view no_role =
    "Give the identity the role Storage Blob Data Contributor on the container, and check that the account's firewall admits this cluster";

constexpr std::array meanings{
    meaning{"ContainerNotFound", failure::absent, "Create the container, or check its name and the storage account"},
    meaning{"BlobNotFound", failure::absent},
    meaning{"BlobAlreadyExists", failure::conflict},
    meaning{"ConditionNotMet", failure::conflict},
    meaning{"AuthenticationFailed", failure::denied, "Check the key or the identity, and that the clock of this machine is right"},
    meaning{"AuthorizationFailure", failure::denied, no_role},
    meaning{"AuthorizationPermissionMismatch", failure::denied, no_role},
    meaning{"KeyBasedAuthenticationNotPermitted", failure::denied, "Use an identity instead of the account's key"},
    meaning{"InvalidBlockList", failure::invalid, "Another upload to the same name took its place. Upload the object again"},
    meaning{"ServerBusy", failure::unavailable},
    meaning{"OperationTimedOut", failure::unavailable},
    meaning{"InternalError", failure::unavailable},
};

}  // namespace

std::string block_id(std::string const& upload, int number) {
  auto digits = std::to_string(number);
  return encoding::base64(upload + "-" + std::string(5 - std::min<std::size_t>(5, digits.size()), '0') + digits);
}

std::string block_list_xml(std::vector<std::string> const& ids) {
  pugi::xml_document document;
  auto root = document.append_child("BlockList");
  for (auto& each : ids) add(root, "Latest", each);
  return to_text(document);
}

error store_error(refusal answer, std::string const& code, std::string const& action) {
  if (answer.document.code.empty()) answer.document.code = code;
  auto& message = answer.document.message;
  message.resize(std::min(message.find("\nRequestId:"), message.size()));
  return classify(answer, action, {"the store", meanings});
}

}  // namespace kopiur::blob::azure
