#pragma once
#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/adapters/kubernetes/rotation.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway::kubernetes {

struct certificate_settings {
  std::string namespace_, secret;  ///< the Secret that they are kept in
  std::string configuration;       ///< the ValidatingWebhookConfiguration whose webhooks shall trust them; the Secret goes with it
  std::vector<std::string> names;  ///< that the API server calls us by
  rotation_limits limits{};
  duration looked{60'000};                                              ///< how often what stands in the cluster is compared
  duration again{2'000};                                                ///< the same where that failed, or nothing is there yet
  std::function<void(std::string)> report = [](std::string const&) {};  ///< sentences for whoever runs us
};

/// The webhook's certificates, made by the gateways themselves: the active one makes them and writes them down, all serve what is written.
/// Writes name the version that they were made from, so two that take themselves for active agree.
class webhook_certificates {
 public:
  webhook_certificates(client& api, clock& time, asio::any_io_executor const& loop, certificate_settings how)
      : api_(api), time_(time), how_(std::move(how)), found_(loop) {}

  /// Every gateway: takes up what stands in the Secret. What could not be read leaves what was. Ends by cancellation only.
  awaitable<void> follow();
  /// The active gateway: makes what is due, and has the API server trust it. What it may not do is reported, and tried again: nobody is
  /// refused anything by it but the webhook's advice. Ends by cancellation only.
  awaitable<void> keep();
  /// Returns once there is something to serve.
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
  certificate_settings how_;
  app::event found_;
  pem_pair serving_;
  held_certificates held_;  // as we wrote or read them last: written again where their Secret is gone
  std::string known_;       // the bundle that the API server was seen to trust
  std::optional<instant> known_since_;
  std::string told_;  // the last sentence
};

}  // namespace kopiur::gateway::kubernetes
