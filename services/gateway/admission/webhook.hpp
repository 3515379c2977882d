#pragma once
#include <filesystem>

#include "services/gateway/admission/admission.hpp"
#include "services/gateway/admission/certificates.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// The certificate to serve now; called for every connection, so that a rotation needs no notification.
using certificate_source = std::function<pem_pair()>;
/// The current content of two PEM files.
certificate_source files_of(std::filesystem::path chain, std::filesystem::path key);

/// The problems of an AdmissionReview because of its user's rights (access_review.hpp).
using rights_check = std::function<awaitable<std::vector<finding>>(json::value review)>;

/// Where reviews are answered, and with which certificate.
struct webhook_settings {
  std::string address = ":8443";  ///< to listen on, in the form of the health pages' addresses
  certificate_source certificate;
  std::string origin = "the gateway";    ///< of the certificate, for sentences
  rights_check rights{};                 ///< empty: rights are not checked
  std::function<void(instant)> taken{};  ///< receives the expiry of each certificate that is served from now on
  /// Receives, once each, why there is no usable certificate yet: it is waited for. Empty: that is an error.
  std::function<void(std::string)> missing{};
  controller::configurations configurations{};  ///< of the systems, for their rules
  int reviews = 1'000;  ///< of one connection, then it is closed: the client reconnects and sees the current certificate
};

/// Answers `POST /validate` of the API server by TLS (review.hpp); `there` collects the objects of the cluster. Ends by cancellation;
/// throws std::runtime_error with a sentence when the address is not available, or there is no usable certificate (but see `missing`).
/// It listens, and reports the port, once there is one.
awaitable<void> serve_webhook(
    webhook_settings settings, std::function<object_map()> there, std::function<void(int port)> listening = [](int) {});

}  // namespace kopiur::gateway::kubernetes
