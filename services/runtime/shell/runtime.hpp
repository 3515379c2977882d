#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/bus/port.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"

/// How a service's process starts, serves, tells its health, and ends.
namespace kopiur::runtime {

/// From the environment; secrets by file only.
struct settings {
  std::string cluster = "local";                   ///< KOPIUR_CLUSTER
  std::string adapter = "local";                   ///< KOPIUR_ADAPTER: what is behind the gateway: `local`, or `kubernetes`
  std::string nats_url = "nats://127.0.0.1:4222";  ///< KOPIUR_NATS_URL: one, or several of a cluster with commas between; tls:// = TLS
  std::string nats_user;                           ///< KOPIUR_NATS_USER
  std::string nats_password_file;                  ///< KOPIUR_NATS_PASSWORD_FILE
  std::string nats_credentials;                    ///< KOPIUR_NATS_CREDENTIALS: a .creds file
  std::string nats_ca_file;                        ///< KOPIUR_NATS_CA_FILE: whom to trust, PEM; none = the system's
  std::string nats_certificate_file;               ///< KOPIUR_NATS_CERT_FILE: our chain, PEM, with...
  std::string nats_key_file;                       ///< ...KOPIUR_NATS_KEY_FILE
  std::string traces;                              ///< OTEL_EXPORTER_OTLP_ENDPOINT: where traces go (OTLP over HTTP, JSON); empty: nowhere
  std::string movers_per_repository;               ///< KOPIUR_MOVERS_PER_REPOSITORY: how many may use one at a time; empty: 8
  std::string http = "127.0.0.1:0";                ///< KOPIUR_HTTP: where /healthz, /readyz and /metrics are
};

/// What a process is given to serve with.
struct environment {
  bus::port& bus;
  clock& time;
  boost::asio::any_io_executor loop;
  settings const& with;
};

/// A service as a process runs it.
struct program {
  std::string name;
  std::function<boost::asio::awaitable<void>(environment)> serve;
  std::function<bool()> ready;
  std::function<void(metrics::registry&)> measure;  ///< adds the service's metrics to a scrape
};

/// Runs one service until SIGTERM or SIGINT (then 0), or until it fails (then 1, with a sentence): whoever started it starts it again.
int run(program what);

/// One life of a service; `alive` points to it meanwhile.
template <class Service>
boost::asio::awaitable<void> live(std::shared_ptr<Service*> alive, std::unique_ptr<Service> one) {
  *alive = one.get();
  std::exception_ptr ended;
  try {
    co_await one->serve();
  } catch (...) {
    ended = std::current_exception();
  }
  *alive = nullptr;
  if (ended) std::rethrow_exception(ended);
}

/// Runs a service class: constructed as `Service(bus, time, loop, options)`, with serve(), ready() and measure().
template <class Service, class Options>
int run(std::string name, std::function<Options(settings const&)> options) {
  auto alive = std::make_shared<Service*>(nullptr);
  return run(
      {.name = std::move(name),
       .serve = [alive, options](
                    environment in) { return live<Service>(alive, std::make_unique<Service>(in.bus, in.time, in.loop, options(in.with))); },
       .ready = [alive] { return *alive && (*alive)->ready(); },
       .measure =
           [alive](metrics::registry& into) {
             if (*alive) (*alive)->measure(into);
           }});
}

}  // namespace kopiur::runtime
