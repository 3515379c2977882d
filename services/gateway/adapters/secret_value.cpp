#include "services/gateway/adapters/secret_value.hpp"

#include "services/gateway/core/base64.hpp"

namespace kopiur::gateway {

using proto::answer_code;

outcome<std::string> value_in(json::value const& secret, std::string const& key) {
  auto* data = secret.find("data");
  auto* encoded = data ? data->find(key) : nullptr;
  auto name = key_of(secret).text();
  if (!encoded || !encoded->as_string()) return refuse(answer_code::NotFound, name + " has no key " + key + ": add it.");
  auto value = from_base64(*encoded->as_string());
  if (!value) return refuse(answer_code::Invalid, "The key " + key + " of " + name + " is no base64: use stringData for plain text.");
  return std::move(*value);
}

}  // namespace kopiur::gateway
