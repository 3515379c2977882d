#pragma once
#include <functional>
#include <map>
#include <string>

#include "common/bus/dead_letters.hpp"
#include "common/http/server.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"

namespace kopiur::runtime {

/// How /readyz and /metrics query a service.
struct health_check {
  std::function<std::string()> waits;               ///< why it is not ready yet, to follow a colon in a message; empty: ready
  std::function<void(metrics::registry&)> measure;  ///< adds its metrics to a scrape
};

/// The services of a process and their health. The process is ready when all expected services are ready.
class health_registry {
 public:
  explicit health_registry(clock& time) : time_(time), started_(time.now()) {}
  health_registry(health_registry const&) = delete;

  /// Names a service that must be ready before the process is.
  void expect(std::string const& name) { checks_[name] = {}; }
  void add(std::string const& name, health_check one) { checks_[name] = std::move(one); }
  /// The service has ended; it is still expected.
  void remove(std::string const& name) { checks_[name] = {}; }
  /// The callback that counts dead letters; the registry must outlive it.
  std::function<void(bus::handling_failure const&)> count_dead_letters();
  /// /healthz, /readyz and /metrics; the registry must outlive them.
  http::pages pages() const;

 private:
  http::page readiness() const;
  http::page metrics_page() const;

  clock& time_;
  instant started_;
  std::map<std::string, health_check> checks_;
  metrics::registry counted_;
};

}  // namespace kopiur::runtime
