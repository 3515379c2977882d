#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/bus/port.hpp"
#include "common/time/clock.hpp"
#include "services/runtime/shell/health_registry.hpp"

namespace kopiur::bus {
class nats_port;
}

/// The life cycle of a service process: start, serve, report health, end.
namespace kopiur::runtime {

/// Settings from environment variables; secrets only as files.
struct settings {
  std::string cluster = "local";                   ///< KOPIUR_CLUSTER
  std::string adapter = "local";                   ///< KOPIUR_ADAPTER: what is behind the gateway: `local`, or `kubernetes`
  std::string nats_url = "nats://127.0.0.1:4222";  ///< KOPIUR_NATS_URL: one URL, or several of a cluster separated by commas; tls:// = TLS
  std::string nats_user;                           ///< KOPIUR_NATS_USER
  std::string nats_password_file;                  ///< KOPIUR_NATS_PASSWORD_FILE
  std::string nats_credentials;                    ///< KOPIUR_NATS_CREDENTIALS: a .creds file
  std::string nats_ca_file;                        ///< KOPIUR_NATS_CA_FILE: trusted authorities, PEM; empty = the system's
  std::string nats_certificate_file;               ///< KOPIUR_NATS_CERT_FILE: our chain, PEM, with...
  std::string nats_key_file;                       ///< ...KOPIUR_NATS_KEY_FILE
  std::string traces;                              ///< OTEL_EXPORTER_OTLP_ENDPOINT: where traces go (OTLP over HTTP, JSON); empty: nowhere
  std::string configuration = "/etc/kopiur/config";  ///< KOPIUR_CONFIG: folder with the configurations of systems
  std::string http = "127.0.0.1:0";                  ///< KOPIUR_HTTP: address of /healthz, /readyz and /metrics
};

/// Parses the number, at least 1, of an environment variable. Throws a sentence that names the variable.
std::int64_t number_from_1(std::string const& variable, std::string const& text);

/// Waits until the bus has closed the connection for good, then throws a sentence: without a bus a process does nothing, so it ends.
boost::asio::awaitable<void> until_lost(bus::nats_port& bus);

/// What a process gets to serve with.
struct environment {
  bus::port& bus;
  clock& time;
  boost::asio::any_io_executor loop;
  health_registry& health;
};

/// The work of a process; it adds its services to the health registry. It ends by cancellation, or with the error that made it fail.
using program = std::function<boost::asio::awaitable<void>(environment)>;
/// Makes it from the settings, before anything is connected: it throws a sentence about a wrong one.
using preparation = std::function<program(settings const&)>;

/// Runs the work on a new loop until SIGTERM or SIGINT cancel it (returns 0), or until it fails (logs the error, returns 1): the supervisor
/// restarts the process. `name`: the process's name in the log.
int run_loop(std::string name, std::function<boost::asio::awaitable<void>(boost::asio::io_context&)> work);
/// The same for a service, which is connected to the bus; `name` is its name there too.
int run(std::string name, preparation prepare);

/// Why the service is not ready: its own sentence when it has one.
template <class Service>
std::string why_not_ready(Service const& one) {
  if constexpr (requires { one.why_not_ready(); })
    return one.why_not_ready();
  else
    return one.ready() ? "" : "its views are being filled";
}

/// Serves until the service ends; its check is in the registry during that time.
template <class Service>
boost::asio::awaitable<void> live(health_registry& health, std::string name, std::unique_ptr<Service> one) {
  health.add(name, {[it = one.get()] { return why_not_ready(*it); }, [it = one.get()](metrics::registry& into) { it->measure(into); }});
  std::exception_ptr ended;
  try {
    co_await one->serve();
  } catch (...) {
    ended = std::current_exception();
  }
  health.remove(name);
  if (ended) std::rethrow_exception(ended);
}

/// Runs one service: a class that is constructed as `Service(bus, time, loop, options)`, with serve(), ready() and measure().
template <class Service, class Options>
int run(std::string name, Options (*options)(settings const&)) {
  return run(name, [name, options](settings const& from) -> program {
    return [name, ready = options(from)](environment in) {
      in.health.expect(name);
      return live(in.health, name, std::make_unique<Service>(in.bus, in.time, in.loop, ready));
    };
  });
}

}  // namespace kopiur::runtime
