#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/json/codec.hpp"
#include "proto/describe.hpp"
#include "services/systems/buckety/config/secret_text.hpp"

namespace kopiur::proto::schema {
struct type_notes;
}

/// The driver `kadm`: topics of every service that speaks Kafka's protocol.
namespace kopiur::buckety::kadm {

namespace schema = proto::schema;

/// Values of `sasl.mechanism`.
inline constexpr std::array<std::string_view, 3> mechanisms{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"};

/// The block `tls`: if it is there, connections are encrypted, and the brokers' certificates are verified.
struct tls_config {
  std::optional<std::string> ca;                ///< PEM; none: the system's authorities
  std::optional<secret_text> certificate, key;  ///< PEM, the client's; both or none
};
KOPIUR_DESCRIBE_NOTED(tls_config, (), (ca, certificate, key))

/// The block `sasl`: how the controller logs in.
struct sasl_config {
  std::string mechanism;  ///< one of `mechanisms`
  secret_text username, password;
};
KOPIUR_DESCRIBE_NOTED(sasl_config, (), (mechanism, username, password))

/// The `config:` block. Text fields that are not optional are required.
struct backend_config {
  std::vector<std::string> seed_brokers;  ///< host:port, at least one; the first one names the cluster
  std::optional<std::string> client_ID;   ///< never empty
  std::optional<tls_config> tls;
  std::optional<sasl_config> sasl;
};
KOPIUR_DESCRIBE_NOTED(backend_config, (), (seed_brokers, client_ID, tls, sasl))

}  // namespace kopiur::buckety::kadm
