#pragma once
#include <optional>
#include <string>
#include <vector>

/// How to reach a Kafka cluster.
namespace kopiur::kafka {

/// Encryption, with the broker's name checked. All texts are PEM.
struct encryption {
  std::string authorities;       ///< trusted ones; empty: the system's
  std::string certificate, key;  ///< the client's own; empty: none
};
struct login {
  std::string mechanism;  ///< PLAIN, SCRAM-SHA-256, SCRAM-SHA-512
  std::string user, password;
};
struct connection {
  std::vector<std::string> seeds;  ///< `host:port`
  std::string client_ID;
  std::optional<encryption> tls;
  std::optional<login> sasl;
};

}  // namespace kopiur::kafka
