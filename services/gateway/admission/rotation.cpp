#include "services/gateway/admission/rotation.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "services/gateway/core/secret_value.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

bool is_old(validity const& validity, instant now) { return (validity.until - now) * 3 < validity.until - validity.from; }

bool is_taken_by(std::string const& authorities, pem_pair const& serving, std::vector<std::string> const& names, instant now) {
  return std::ranges::all_of(names, [&](auto const& name) { return is_taken(serving.certificate, authorities, name, now); });
}

}  // namespace

std::string held_certificates::bundle() const {
  std::string all;
  for (auto const& each : authorities) all += each;
  return all;
}

held_certificates from_secret(json::value const& secret) {
  auto text = [&](char const* key) { return value_in(secret, key).value_or(""); };
  return {certificates_in(text("ca.crt")), text("ca.key"), {text("tls.crt"), text("tls.key")}};
}

json::value secret_data(held_certificates const& held) {
  auto data = json::value::make_object();
  data.set("ca.crt", encoding::base64(held.bundle())), data.set("ca.key", encoding::base64(held.authority_key));
  data.set("tls.crt", encoding::base64(held.serving.certificate)), data.set("tls.key", encoding::base64(held.serving.key));
  return data;
}

rotation_step due(held_certificates const& held, std::vector<std::string> const& names, std::optional<instant> known_since, instant now,
                  rotation_limits const& limits) {
  auto newest = held.authorities.empty() ? std::string() : held.authorities.front();
  auto lives = validity_of(newest);
  bool signs = lives && lives->holds(now) && !is_old(*lives, now) && belong_together({newest, held.authority_key});
  bool serves = belong_together(held.serving) && is_taken_by(held.bundle(), held.serving, names, now);
  if (!serves) return signs ? rotation_step::Serving : rotation_step::Both;
  if (!signs) return rotation_step::Authority;
  bool settled = known_since && now - *known_since >= limits.settled;
  bool replaced = !is_taken_by(newest, held.serving, names, now) ? settled : is_old(*validity_of(held.serving.certificate), now);
  return replaced ? rotation_step::Serving : rotation_step::Nothing;
}

held_certificates rotated(held_certificates held, rotation_step step, std::vector<std::string> const& names, instant now,
                          rotation_limits const& limits) {
  std::erase_if(held.authorities, [&](auto const& each) { return validity_of(each)->until <= now; });
  if (step == rotation_step::Authority || step == rotation_step::Both) {
    auto fresh = new_authority({now - limits.backdated, now + limits.authority});
    held.authorities.insert(held.authorities.begin(), std::move(fresh.certificate));
    held.authority_key = std::move(fresh.key);
  }
  if (step == rotation_step::Serving || step == rotation_step::Both)
    held.serving = new_certificate({held.authorities.front(), held.authority_key}, names, {now - limits.backdated, now + limits.serving});
  return held;
}

}  // namespace kopiur::gateway::kubernetes
