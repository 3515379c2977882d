#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

#include "services/runtime/embedded/bus_server.hpp"

namespace kopiur::embedded {

struct up_options {
  std::string data;           ///< data folder
  std::string manifests;      ///< folder of manifests; empty: none
  std::string configuration;  ///< folder with the configurations of systems
  std::string cluster = "local";
  std::string http = "127.0.0.1:0";      ///< address of /healthz, /readyz and /metrics; port 0: the kernel chooses
  bool restore_by_request = false;       ///< a message on the bus may request restores
  std::int64_t bus_store = usual_store;  ///< bytes that the streams of the bus may take
  std::string traces;                    ///< OTEL_EXPORTER_OTLP_ENDPOINT; empty: none
  std::string nats_server, mover;        ///< programs
};

/// The embedded default: nats-server as a child, every service in this process, the local adapter. Ends by cancellation; running movers go
/// on and are adopted at the next start. Throws std::runtime_error with a sentence when it cannot start.
boost::asio::awaitable<void> up(boost::asio::io_context& loop, up_options options);

/// kopiur-mover: next to our own binary, else on PATH; the error says how to get it.
std::expected<std::string, std::string> find_mover(std::string const& own_path);
/// The programs that `up` needs: from KOPIUR_NATS_SERVER and next to our own binary, else from PATH; the error says how to get a missing
/// one.
std::expected<up_options, std::string> find_programs(up_options options, std::string const& own_path);

}  // namespace kopiur::embedded
