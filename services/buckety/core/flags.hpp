#pragma once
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur::buckety::program {

/// The command line.
struct flags {
  std::string config_dir = "/etc/buckety";  ///< folder with buckety-controller.yaml
  duration periodic_recheck{300'000};
  std::string metrics_address = ":8080", health_address = ":8081";
  bool enable_webhook = true;
  int webhook_port = 9443;
  std::string certificate_dir = "/var/run/buckety/webhook-tls";  ///< folder with tls.crt and tls.key
  bool leader_elect = true;
  std::string kubeconfig;  ///< empty: the variable KUBECONFIG, else the pod's service account
  std::string data_dir;    ///< of nats-server; empty: default_data_dir()
  bool version = false, help = false;
};

/// Reads the arguments, without the program's name, as Go's package flag does: `-name value`, `-name=value`, the same with two dashes;
/// booleans are `-name` or `-name=false`. The error is a sentence. CLI11 2.1 takes one dash for a group of short options.
[[nodiscard]] std::expected<flags, std::string> parse_flags(std::span<std::string_view const> arguments);

/// All flags with their defaults, a line each.
std::string usage();

}  // namespace kopiur::buckety::program
