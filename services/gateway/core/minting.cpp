#include "services/gateway/core/minting.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "proto/core/kubernetes.hpp"

namespace kopiur::gateway {

using json::object;
using json::value;
using proto::answer_code;

bool is_controlled_by(value const& secret, std::string_view uid) {
  if (uid.empty()) return false;
  auto* owners = secret.at("metadata.ownerReferences");
  return owners && owners->as_array() && std::ranges::any_of(*owners->as_array(), [&](value const& one) {
           auto* controls = one.find("controller");
           return one.text("uid") == uid && controls && controls->as_bool() && *controls->as_bool();
         });
}

value manifest_of(minted_secret const& wanted) {
  value owner = object{{"apiVersion", wanted.owner_version},
                       {"kind", wanted.owner.kind},
                       {"name", wanted.owner.name},
                       {"uid", wanted.owner.uid},
                       {"controller", true},
                       {"blockOwnerDeletion", true}};
  auto labels = value::make_object(), data = value::make_object();
  for (auto const& [key, text] : wanted.labels) labels.set(key, text);
  for (auto const& [key, text] : wanted.values) data.set(key, encoding::base64(text));
  value metadata = object{{"name", wanted.name}, {"namespace", wanted.owner.namespace_}};
  metadata.set("labels", std::move(labels));
  metadata.set("ownerReferences", json::array{std::move(owner)});
  value secret = object{{"apiVersion", "v1"}, {"kind", proto::secret::info.kind}, {"type", "Opaque"}};
  secret.set("metadata", std::move(metadata));
  secret.set("data", std::move(data));
  return secret;
}

outcome<std::optional<value>> patch_for(value const& existing, minted_secret const& wanted) {
  auto name = key_of(existing).text();
  if (!is_controlled_by(existing, wanted.owner.uid))
    return refuse(answer_code::AlreadyExists, name + " exists already, and does not belong to " + wanted.owner.kind + " " +
                                                  wanted.owner.name + ": delete it, or choose another name.");
  if (is_terminating(existing)) return refuse(answer_code::Conflict, name + " is being deleted; it is made again once it is gone.");
  auto labels = value::make_object(), data = value::make_object();
  for (auto const& [key, text] : wanted.labels)
    if (label(existing, key) != text) labels.set(key, text);
  auto* there = existing.find("data");
  for (auto const& [key, text] : wanted.values) {
    auto encoded = encoding::base64(text);
    if (!there || there->text(key) != encoded) data.set(key, std::move(encoded));
  }
  for (auto const& key : wanted.absent)
    if (there && there->find(key)) data.set(key, value());
  if (labels.as_object()->empty() && data.as_object()->empty()) return std::nullopt;
  value metadata = object{{"uid", uid_of(existing)}, {"resourceVersion", version_of(existing)}};
  metadata.set("labels", std::move(labels));
  value patch;
  patch.set("metadata", std::move(metadata));
  patch.set("data", std::move(data));
  return std::optional(std::move(patch));
}

}  // namespace kopiur::gateway
