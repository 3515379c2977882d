#include "services/gateway/adapters/secret_value.hpp"

#include "common/encoding/base64.hpp"

namespace kopiur::gateway {

using proto::answer_code;

outcome<std::string> value_in(json::value const& object, std::string const& key) {
  auto* data = object.find("data");
  auto* encoded = data ? data->find(key) : nullptr;
  auto name = key_of(object).text();
  if (!encoded || !encoded->as_string()) return refuse(answer_code::NotFound, name + " has no key " + key + ": add it.");
  if (object.text("kind") == "ConfigMap") return *encoded->as_string();
  auto value = encoding::from_base64(*encoded->as_string());
  if (!value) return refuse(answer_code::Invalid, "The key " + key + " of " + name + " is not base64: use stringData for plain text.");
  return std::move(*value);
}

}  // namespace kopiur::gateway
