#pragma once
#include "services/gateway/admission/rotation.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

struct certificate_settings {
  std::string namespace_, secret;  ///< the Secret that stores them
  std::string configuration;       ///< the ValidatingWebhookConfiguration whose webhooks must trust them; it owns the Secret
  std::vector<std::string> names;  ///< by which the API server calls the gateway
  rotation_limits limits{};
  duration looked{60'000};                                              ///< how often the cluster's state is compared
  duration again{2'000};                                                ///< the same after a failure, or before anything exists
  std::function<void(std::string)> report = [](std::string const&) {};  ///< receives sentences for the operator
};

/// The webhook's certificates, issued by the gateways: the active one creates and stores them, all serve the stored ones. Writes name their
/// base version, so two gateways that both consider themselves active agree.
class webhook_certificates {
 public:
  webhook_certificates(client& api, clock& time, asio::any_io_executor const& loop, certificate_settings settings)
      : api_(api), time_(time), settings_(std::move(settings)), found_(loop) {}

  /// Every gateway: adopts the content of the Secret. After a failed read the previous certificate stays. Ends by cancellation only.
  awaitable<void> follow();
  /// The active gateway: creates what is due, and makes the API server trust it. A forbidden write is reported and retried: its only effect
  /// is that the webhook's checks are missing. Ends by cancellation only.
  awaitable<void> keep();
  /// Returns once there is a certificate to serve.
  awaitable<void> found();
  pem_pair const& serving() const { return serving_; }

 private:
  awaitable<result<json::value>> read_secret();
  awaitable<result<void>> write_secret(json::value secret, held_certificates const& held, json::value const& configuration);
  awaitable<result<void>> write_bundle(json::value configuration, std::string const& bundle);
  awaitable<result<void>> compare();
  void tell(error const& why);
  void take(pem_pair serving);

  client& api_;
  clock& time_;
  certificate_settings settings_;
  app::event found_;
  pem_pair serving_;
  held_certificates held_;  // as last written or read: written again if the Secret was deleted
  std::string known_;       // the bundle that the API server was seen to trust
  std::optional<instant> known_since_;
  std::string told_;  // the last reported sentence
};

}  // namespace kopiur::gateway::kubernetes
