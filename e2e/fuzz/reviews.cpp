#include "e2e/fuzz/fuzz.hpp"
#include "services/gateway/admission/borrowed_rights.hpp"
#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/admission/review.hpp"

namespace kopiur::fuzz {
namespace {

using namespace gateway;

/// A repository and a config to which manifests may refer.
decoded_objects there() {
  decoded_objects all;
  for (std::string_view text :
       {R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Repository","metadata":{"name":"nas","namespace":"home","uid":"r"},)"
        R"("spec":{"backend":{"filesystem":{"path":"/repo"}},"encryption":{"passwordSecretRef":{"name":"s","key":"p"}}}})",
        R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"BackupConfig","metadata":{"name":"photos","namespace":"home",)"
        R"("uid":"c"},"spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}]}})"}) {
    all.take(json::parse(text).value());
  }
  return all;
}

}  // namespace

void look(std::string_view input) {
  static auto const all = there();
  auto review = json::parse(input);
  if (!review) return;
  auto said = gateway::kubernetes::reviewed(*review, all.all());
  if (!said) return;
  auto* allowed = said->at("response.allowed");
  require(allowed && allowed->as_bool(), "an answer says whether it is allowed");
  require(said->text("response.uid") == review->text("request.uid"), "an answer is to the review that was asked");
  require(*allowed->as_bool() || !said->text("response.status.message").empty(), "a refusal says why");
  auto operation = review->text("request.operation");
  require(*allowed->as_bool() || operation == "CREATE" || operation == "UPDATE", "only a create or an update is refused");
  for (auto& right : gateway::kubernetes::borrowed_rights(*review)) require(!right.text().empty(), "a borrowed right has a name");
}

}  // namespace kopiur::fuzz
