#include "services/gateway/admission/webhook_certificates.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;

namespace {

std::string path_of_configuration(std::string const& name) { return path_of(*resource_of("ValidatingWebhookConfiguration"), "", name); }

/// `clientConfig` of each webhook.
std::vector<value*> clients_in(value& configuration) {
  std::vector<value*> found;
  auto* hooks = configuration.find("webhooks");
  if (hooks && hooks->as_array())
    for (auto& each : *hooks->as_array())
      if (auto* client = each.find("clientConfig")) found.push_back(client);
  return found;
}

/// The configuration owns the Secret, so an uninstall removes both.
value owner_of(value const& configuration) {
  auto const& kind = *resource_of("ValidatingWebhookConfiguration");
  value owner = object{{"apiVersion", kind.group_version},
                       {"kind", kind.kind},
                       {"name", configuration.text("metadata.name")},
                       {"uid", configuration.text("metadata.uid")}};
  return json::array{std::move(owner)};
}

bool is_owned_by(value const& secret, value const& configuration) {
  auto* owners = secret.at("metadata.ownerReferences");
  return owners && owners->as_array() && owners->as_array()->size() == 1 &&
         owners->as_array()->front().text("uid") == configuration.text("metadata.uid");
}

/// Another gateway was faster: its content is read next.
bool is_quicker(error const& why) { return why.code == failure::conflict || why.code == failure::already_exists; }

}  // namespace

void webhook_certificates::tell(error const& why) {
  auto sentence =
      "The webhook's certificates in Secret " + settings_.namespace_ + "/" + settings_.secret + " are not up to date: " + why.message;
  if (is_quicker(why) || sentence == told_) return;
  told_ = sentence;
  settings_.report(sentence);
}

void webhook_certificates::take(pem_pair serving) {
  if (!belong_together(serving)) return;
  told_.clear();
  serving_ = std::move(serving);
  found_.notify();
}

awaitable<void> webhook_certificates::found() {
  while (serving_ == pem_pair{}) co_await found_.wait(found_.epoch());
}

awaitable<result<value>> webhook_certificates::read_secret() {
  return api_.ask({.path = path_of(*resource_of(proto::secret::info.kind), key_to<proto::secret>(settings_.namespace_, settings_.secret))});
}

awaitable<void> webhook_certificates::follow() {
  for (;;) {
    auto there = co_await read_secret();
    if (there)
      take(from_secret(*there).serving);
    else if (there.error().code != failure::not_found)
      tell(there.error());
    co_await time_.sleep_for(there ? settings_.looked : settings_.again);
  }
}

awaitable<void> webhook_certificates::keep() {
  for (;;) {
    auto done = co_await compare();
    if (!done) tell(done.error());
    co_await time_.sleep_for(done ? settings_.looked : settings_.again);
  }
}

awaitable<result<void>> webhook_certificates::write_secret(value secret, held_certificates const& held, value const& configuration) {
  bool exists = !secret.is_null();
  if (!exists) {
    value labels = object{{"app.kubernetes.io/managed-by", "kopiur"}};
    value metadata = object{{"name", settings_.secret}, {"namespace", settings_.namespace_}, {"labels", std::move(labels)}};
    secret = object{{"apiVersion", "v1"}, {"kind", proto::secret::info.kind}, {"metadata", std::move(metadata)}};
  }
  secret.set("data", secret_data(held));
  secret.find("metadata")->set("ownerReferences", owner_of(configuration));
  auto key = key_to<proto::secret>(settings_.namespace_, exists ? settings_.secret : "");
  auto done = co_await api_.ask(
      {.method = exists ? "PUT" : "POST", .path = path_of(*resource_of(proto::secret::info.kind), key), .body = std::move(secret)});
  if (!done) co_return std::unexpected(done.error());
  co_return result<void>();
}

awaitable<result<void>> webhook_certificates::write_bundle(value configuration, std::string const& bundle) {
  for (auto* client : clients_in(configuration)) client->set("caBundle", encoding::base64(bundle));
  auto done =
      co_await api_.ask({.method = "PUT", .path = path_of_configuration(settings_.configuration), .body = std::move(configuration)});
  if (!done) co_return std::unexpected(done.error());
  co_return result<void>();
}

/// Compares the cluster's state with the required one, and writes the differences. A new certificate is served after a bundle with its
/// authority is trusted, and before a bundle without the old authority is written: rotation.hpp ensures this order.
awaitable<result<void>> webhook_certificates::compare() {
  auto configuration = co_await api_.ask({.path = path_of_configuration(settings_.configuration)});
  if (!configuration) co_return std::unexpected(configuration.error());
  auto secret = co_await read_secret();
  if (!secret && secret.error().code != failure::not_found) co_return std::unexpected(secret.error());
  auto held = secret ? from_secret(*secret) : held_;
  auto trusts = [&] {
    return std::ranges::all_of(clients_in(*configuration),
                               [&](auto* client) { return client->text("caBundle") == encoding::base64(held.bundle()); });
  };
  auto now = time_.now();
  if (!trusts())
    known_since_.reset();
  else if (!known_since_ || known_ != held.bundle())
    known_since_ = now, known_ = held.bundle();
  auto step = due(held, settings_.names, known_since_, now, settings_.limits);
  if (step != rotation_step::Nothing) held = rotated(std::move(held), step, settings_.names, now, settings_.limits);
  if (step != rotation_step::Nothing || !secret || !is_owned_by(*secret, *configuration)) {
    auto written = co_await write_secret(secret ? std::move(*secret) : value(), held, *configuration);
    if (!written) co_return written;
  }
  held_ = held;
  take(held.serving);
  if (!trusts()) co_return co_await write_bundle(std::move(*configuration), held.bundle());
  co_return result<void>();
}

}  // namespace kopiur::gateway::kubernetes
