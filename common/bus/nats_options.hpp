#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::bus {

struct handling_failure;

/// TLS files in PEM; all empty = no TLS unless a URL begins with `tls://`. The server's certificate must name the host of the URL.
struct tls_files {
  std::string authorities;  ///< trusted authorities; empty = the system's
  std::string certificate;  ///< our certificate chain, used with `key`
  std::string key;
};

/// How to reach the bus, and the time limits.
struct nats_options {
  std::vector<std::string> urls{"nats://127.0.0.1:4222"};
  std::string name;  ///< shown in the server's list of connections
  std::string user, password;
  std::string credentials;  ///< a .creds file (JWT and seed)
  std::string nkey, seed;   ///< of nkey.hpp: a server gets a signature, never the seed
  /// For a bus whose address or login changes: called on the loop before each attempt to connect; sets urls and login in these options. A
  /// returned sentence says why there is no bus now: it counts as a server that is not up yet.
  std::function<std::string(nats_options&)> locate;
  tls_files tls;
  std::string inbox_prefix = "_INBOX";
  std::string dead_letters = "dead";  ///< prefix of the subjects of dead letters; see dead_letters.hpp

  duration connect_for{60'000};   ///< how long to wait for a server that is not up yet; afterwards it reconnects forever
  duration patience{30'000};      ///< how long a request is retried before it fails
  duration answer_within{5'000};  ///< limit of one try
  duration beat{5'000};           ///< interval of our heartbeat, a message to our own inbox...
  duration silence{15'000};       ///< ...and after how long without any read the connection is cut and replaced
  std::size_t bytes_in_flight = std::size_t{32} << 20;  ///< requests beyond it wait: nats.c itself has no limit

  /// Reports what no call can return: a feed or worker that meets an error and retries, a refused ack. For the log; called on the loop.
  std::function<void(std::string const&)> notice = [](std::string const&) {};
  /// Called for each dead letter that a worker of this port stored.
  std::function<void(handling_failure const&)> on_dead_letter = [](handling_failure const&) {};
};

}  // namespace kopiur::bus
