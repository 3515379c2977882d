#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::bus {

struct handling_failure;

/// Files for TLS, PEM; all empty = no TLS unless a URL says `tls://`. The server's certificate must name the host of the URL.
struct tls_files {
  std::string authorities;  ///< whom to trust; empty = the system's
  std::string certificate;  ///< our chain, with `key`
  std::string key;
};

/// How to reach the bus and how long to bear with it.
struct nats_options {
  std::vector<std::string> urls{"nats://127.0.0.1:4222"};
  std::string name;  ///< shown in the server's list of connections
  std::string user, password;
  std::string credentials;  ///< a .creds file (JWT and seed)
  tls_files tls;
  std::string inbox_prefix = "_INBOX";
  std::string dead_letters = "dead";  ///< prefix of the subjects of dead letters; see dead_letters.hpp

  duration connect_for{60'000};   ///< how long to wait for a server that is not up yet; afterwards it reconnects forever
  duration patience{30'000};      ///< how long a request is tried again before its failure is told
  duration answer_within{5'000};  ///< how long one try waits
  duration beat{5'000};           ///< our own heartbeat, a message to ourselves...
  duration silence{15'000};       ///< ...and how long nothing may be read before the connection is severed and made again
  std::size_t bytes_in_flight = std::size_t{32} << 20;  ///< requests beyond it wait: nats.c itself has no limit

  /// Told what no call can return: a feed or worker that meets an error and tries again, a refused ack. For the log; on the loop.
  std::function<void(std::string const&)> notice = [](std::string const&) {};
  /// Told of each dead letter that a worker here has made.
  std::function<void(handling_failure const&)> on_dead_letter = [](handling_failure const&) {};
};

}  // namespace kopiur::bus
