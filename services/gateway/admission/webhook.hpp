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

/// Bounds for all clients together, whoever they are. An API server keeps a few connections, and waits 5 s for a review.
struct webhook_limits {
  std::size_t clients = 256;
  std::uint64_t longest = 8 << 20;                   ///< bytes of a review: two objects of the largest size that an API server stores
  std::uint64_t bytes = 32 << 20, small = 64 << 10;  ///< of all reviews in work, apart from small ones
  duration arrival{10'000};                          ///< for the handshake and the header
  duration review{6'000};                            ///< for the rest of the review and its answer
  duration room{3'000};                              ///< how long a review waits for its share of `bytes`
};

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
  std::string client_ca{};                      ///< PEM: a client needs a certificate that it signed; empty: anybody may connect
  std::function<void(std::string)> report{};    ///< receives a sentence when connections cannot be accepted
  webhook_limits limits{};
  int reviews = 1'000;  ///< of one connection, then it is closed: the client reconnects and sees the current certificate
};

/// Answers `POST /validate` of the API server by TLS (review.hpp); `there`: the objects of the cluster, as decoded_objects.hpp has them. It
/// listens, and reports the port, once it has a certificate. Ends by cancellation; throws std::runtime_error with a sentence when the
/// address is not available, `client_ca` is unusable, or no certificate can be used (but see `missing`).
awaitable<void> serve_webhook(
    webhook_settings settings, controller::objects const& there, std::function<void(int port)> listening = [](int) {});

}  // namespace kopiur::gateway::kubernetes
