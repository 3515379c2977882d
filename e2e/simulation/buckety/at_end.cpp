#include <algorithm>

#include "common/encoding/base64.hpp"
#include "e2e/simulation/buckety/bucket_story.hpp"
#include "e2e/simulation/objects.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/minting.hpp"
#include "services/gateway/core/names.hpp"
#include "services/provisioner/core/view.hpp"
#include "services/systems/buckety/rules/parameters.hpp"

/// The invariants of Buckety that hold once users and troubles have ended: what a status says is true.
namespace kopiur::simulation {

namespace {

std::string reason_of(json::value const& object) {
  auto* ready = condition_of(object, "Ready");
  return ready ? std::string(ready->text("reason")) : "none";
}

bool is_implicit_of(json::value const& access, json::value const& object) {
  auto of_access = json::decode<proto::buckety_access>(access);
  auto of_object = json::decode<proto::buckety>(object);
  return of_access && of_object && proto::is_implicit_of(*of_access, *of_object);
}

}  // namespace

std::vector<json::value const*> bucket_story::accesses_of(json::value const& object, bool implicit) const {
  std::vector<json::value const*> all;
  for (auto& [key, one] : data_.objects()) {
    bool of_it = key.starts_with("BucketyAccess/") && one.text("metadata.namespace") == object.text("metadata.namespace") &&
                 one.text("spec.bucketyRef.name") == object.text("metadata.name");
    if (of_it && is_implicit_of(one, object) == implicit) all.push_back(&one);
  }
  return all;
}

/// What the Secret of a Ready access lacks.
std::optional<std::string> bucket_story::wrong_secret(json::value const& access, json::value const& owner) {
  auto* secret = find("Secret", access.text("metadata.namespace"), access.text("spec.credentialsSecretName"));
  if (!secret) return "there is no Secret";
  if (!gateway::is_controlled_by(*secret, gateway::uid_of(access))) return "the Secret is another's";
  auto* backend = bucket_configuration()->find(owner.text("spec.backend"));
  auto const& config = std::get<buckety::s3::backend_config>(backend->config);
  std::map<std::string, std::string> wanted{{"endpoint", config.endpoint},
                                            {"bucket", std::string(owner.text("status.backendResourceName"))},
                                            {"accessKeyID", "root"},
                                            {"secretAccessKey", secret_now()}};
  if (config.region) wanted["region"] = *config.region;
  auto* data = secret->find("data");
  for (auto& [key, text] : wanted)
    if (!data || data->text(key) != encoding::base64(text)) return "the Secret's key " + key + " is not as wanted";
  if (!config.region && data->find("region")) return "the Secret has a region";
  if (gateway::label(*secret, proto::label::buckety_owned) != "true") return "the Secret has no label";
  return {};
}

/// Nothing: what the access says is true.
std::optional<std::string> bucket_story::false_reason_of_access(json::value const& access) {
  auto reason = reason_of(access);
  auto* owner = find("Buckety", access.text("metadata.namespace"), access.text("spec.bucketyRef.name"));
  if (reason == "BucketyNotFound") return owner ? std::optional<std::string>("it is there") : std::nullopt;
  if (!owner) return "there is no Buckety";
  bool stamped = !owner->text("status.backendResourceName").empty();
  if (reason == "WaitingForBuckety") return stamped ? std::optional<std::string>("it has its bucket") : std::nullopt;
  if (reason == "SecretMinted") return wrong_secret(access, *owner);
  auto* secret = find("Secret", access.text("metadata.namespace"), access.text("spec.credentialsSecretName"));
  bool taken = secret && !gateway::is_controlled_by(*secret, gateway::uid_of(access));
  if (reason == "SecretConflict" && taken) return {};
  return "it is not so";
}

std::optional<std::string> bucket_story::false_reason(json::value const& object) {
  auto reason = reason_of(object);
  auto explicit_ones = accesses_of(object, false), implicit = accesses_of(object, true);
  if (gateway::is_terminating(object))
    return reason == "DeletionBlocked" && !explicit_ones.empty() ? std::nullopt : std::optional<std::string>("nothing blocks its deletion");
  bucket_place place{std::string(object.text("status.backendStore")), std::string(object.text("status.backendResourceName"))};
  bool single = object.at("spec.defaultAccess") && explicit_ones.empty();
  if (reason == "EnsuredOnBackend") {
    if (!sky.buckets.contains(place)) return "there is no bucket";
    if (single != !implicit.empty()) return "its defaultAccess is not as wanted";
    return {};
  }
  if (reason == "SecretConflict") {
    auto* of_name = find("BucketyAccess", object.text("metadata.namespace"), object.text("metadata.name"));
    bool taken = of_name && !is_implicit_of(*of_name, object);
    return single && (taken || (!implicit.empty() && reason_of(*implicit.front()) == reason)) ? std::nullopt
                                                                                              : std::optional<std::string>("it is not so");
  }
  if (reason != "BackendResourceExists") return "it should be Ready";
  place.store = store_of(*bucket_configuration()->find(object.text("spec.backend")));
  auto decoded = json::decode<proto::buckety>(object);
  auto name = buckety::resolved(decoded->spec.name.value_or(""),
                                buckety::sources_of(*decoded, *bucket_configuration()->find(decoded->spec.backend)));
  place.name = *name;
  auto found = sky.buckets.find(place);
  bool full = found != sky.buckets.end() && found->second.objects > 0 && decoded->spec.adoption != proto::resource_adoption::Adopt;
  bool owned = std::ranges::any_of(data_.objects(), [&](auto& one) {
    return one.first.starts_with("Buckety/") && &one.second != &object && one.second.text("status.backendStore") == place.store &&
           one.second.text("status.backendResourceName") == place.name;
  });
  return full || owned ? std::nullopt : std::optional<std::string>("nobody has the name " + place.name);
}

/// What an object has made goes with it.
void bucket_story::check_orphan(std::string const& key, json::value const& object) {
  auto* owners = object.at("metadata.ownerReferences");
  if (!owners) return;
  auto& owner = owners->as_array()->front();
  auto* there = find(owner.text("kind"), object.text("metadata.namespace"), owner.text("name"));
  if (!there || gateway::uid_of(*there) != owner.text("uid")) violate("B9 something is left whose owner is gone", key);
}

void bucket_story::check_end() {
  for (auto& [key, one] : data_.objects()) {
    if (key.starts_with("Secret/") || key.starts_with("BucketyAccess/")) check_orphan(key, one);
    bool object = key.starts_with("Buckety/"), access = key.starts_with("BucketyAccess/");
    if (!object && !access) continue;
    told_.add(std::string("at the end: ") + (gateway::is_terminating(one) ? "deleted " : "") + reason_of(one));
    auto wrong = object                         ? false_reason(one)
                 : gateway::is_terminating(one) ? std::optional<std::string>("it is not gone")
                                                : false_reason_of_access(one);
    if (!wrong) continue;
    auto* status = one.at("status");
    return violate(object ? "B7 a Buckety states what is not true" : "B8 an access states what is not true",
                   key + ": " + *wrong + "; " + (status ? json::dump(*status) : "without a status"));
  }
}

}  // namespace kopiur::simulation
