#include "services/systems/buckety/kadm/read_config.hpp"

#include <algorithm>

#include "common/encoding/ip_address.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::buckety::kadm {
namespace {

/// What is wrong with a field, by its path in the block.
struct fault {
  std::string path, what;
};

bool is_host(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) return text.contains(':') && encoding::parse_ip(text.substr(1, text.size() - 2));
  auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  return !text.empty() && allowed(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return allowed(c) || c == '.' || c == '-' || c == '_'; });
}

/// `host:port`. A port has one spelling, because the text identifies the cluster.
bool is_broker(std::string_view text) {
  auto colon = text.rfind(':');
  if (colon == text.npos || !is_host(text.substr(0, colon))) return false;
  auto digits = text.substr(colon + 1);
  auto port = encoding::whole_number<int>(digits);
  return port && *port >= 1 && *port <= 65535 && digits.front() != '0';
}

std::optional<fault> wrong_brokers(std::vector<std::string> const& brokers) {
  if (brokers.empty()) return fault{".seedBrokers", missing_field("seedBrokers")};
  auto wrong = std::ranges::find_if_not(brokers, is_broker);
  if (wrong == brokers.end()) return {};
  return fault{
      ".seedBrokers[" + std::to_string(wrong - brokers.begin()) + "]",
      "is not the address of a broker. Write one host:port an entry, without a scheme, as in kafka.example:9092 or [fd00::1]:9092."};
}

bool is_pem(std::string_view text) { return text.starts_with("-----BEGIN "); }

/// No message repeats the text: it may be a key.
std::optional<fault> wrong_tls(tls_config const& tls) {
  auto not_pem = [](char const* path) {
    return fault{path, "is not PEM: it must begin with `-----BEGIN `. Remove what is in front of that, or remove the field."};
  };
  if (tls.ca && !is_pem(*tls.ca)) return not_pem(".tls.ca");
  if (tls.certificate && !is_pem(tls.certificate->reveal())) return not_pem(".tls.certificate");
  if (tls.key && !is_pem(tls.key->reveal())) return not_pem(".tls.key");
  if (tls.certificate.has_value() == tls.key.has_value()) return {};
  return tls.key ? fault{".tls.key", "is given without `certificate`. Set both, or none."}
                 : fault{".tls.certificate", "is given without `key`. Set both, or none."};
}

std::optional<fault> wrong_sasl(sasl_config const& sasl) {
  if (std::ranges::find(mechanisms, sasl.mechanism) != mechanisms.end()) return {};
  return fault{".sasl.mechanism", unknown_value("mechanism", sasl.mechanism, mechanisms) + "."};
}

/// `tls:` without content could mean either, and reads as none: the connection would not be encrypted.
std::optional<fault> empty_block(json::value const& content) {
  for (auto* name : {"tls", "sasl"})
    if (auto* block = content.find(name); block && block->is_null())
      return fault{std::string(".") + name, "is empty. Write its fields (`tls: {}` takes the system's authorities), or remove it."};
  return {};
}

std::optional<fault> first_fault(backend_config const& config, json::value const& content) {
  if (auto wrong = empty_block(content)) return wrong;
  if (auto wrong = wrong_brokers(config.seed_brokers)) return wrong;
  if (auto wrong = config.tls ? wrong_tls(*config.tls) : std::nullopt) return wrong;
  return config.sasl ? wrong_sasl(*config.sasl) : std::nullopt;
}

}  // namespace

std::expected<backend_config, config::problem> read_config(config_block const& from) {
  auto read = load_block<backend_config>(from);
  if (!read) return read;
  if (auto wrong = first_fault(*read, from.content)) return std::unexpected(from.file.blame(from.path + wrong->path, wrong->what));
  drop_if_empty(read->client_ID);
  return read;
}

}  // namespace kopiur::buckety::kadm
