#pragma once
#include <filesystem>

#include "services/gateway/adapters/admission.hpp"
#include "services/gateway/adapters/kubernetes/certificates.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// The certificate to serve by now; asked at every connection, so that whoever rotates it need not tell.
using certificate_source = std::function<pem_pair()>;
/// As two PEM files have it now; who made them is not our business.
certificate_source files_of(std::filesystem::path chain, std::filesystem::path key);

/// What is wrong with an AdmissionReview because of who asks (access_review.hpp).
using rights_check = std::function<awaitable<std::vector<finding>>(json::value review)>;

/// Where reviews are answered, and by which certificate.
struct webhook_settings {
  std::string address = ":8443";  ///< to listen on, as health pages have it
  certificate_source certificate;
  std::string origin = "the gateway";    ///< of the certificate, for sentences
  rights_check rights{};                 ///< empty: nobody is asked about
  std::function<void(instant)> taken{};  ///< told of each certificate that is served from now on, until when it is good
  int reviews = 1'000;                   ///< of one connection, which is closed then: who asks comes back and sees the certificate of now
};

/// Answers `POST /validate` of the API server by TLS (review.hpp); `there` gathers the objects of the cluster. Ends by
/// cancellation; throws std::runtime_error with a sentence when the address cannot be had or there is no certificate that can be used.
awaitable<void> serve_webhook(
    webhook_settings how, std::function<object_map()> there, std::function<void(int port)> listening = [](int) {});

}  // namespace kopiur::gateway::kubernetes
