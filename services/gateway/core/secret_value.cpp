#include "services/gateway/core/secret_value.hpp"

#include "common/encoding/base64.hpp"
#include "proto/kinds.hpp"

namespace kopiur::gateway {

using proto::answer_code;

object_key key_of(proto::secret_use const& use, std::string const& command_namespace) {
  auto const& ns = use.secret_namespace.empty() ? command_namespace : use.secret_namespace;
  return use.config_map ? key_to<proto::config_map>(ns, use.secret_name) : key_to<proto::secret>(ns, use.secret_name);
}

outcome<std::string> value_in(json::value const& object, std::string const& key) {
  auto* data = object.find("data");
  auto* encoded = data ? data->find(key) : nullptr;
  auto name = key_of(object).text();
  if (!encoded || !encoded->as_string()) return refuse(answer_code::NotFound, name + " has no key " + key + ": add it.");
  if (object.text("kind") == proto::config_map::info.kind) return *encoded->as_string();
  auto value = encoding::from_base64(*encoded->as_string());
  if (!value) return refuse(answer_code::Invalid, "The key " + key + " of " + name + " is not base64: use stringData for plain text.");
  return std::move(*value);
}

}  // namespace kopiur::gateway
