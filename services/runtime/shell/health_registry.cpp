#include "services/runtime/shell/health_registry.hpp"

namespace kopiur::runtime {

namespace {
std::string waits(health_check const& one) { return one.waits ? one.waits() : "it has not started"; }
}  // namespace

std::function<void(bus::handling_failure const&)> health_registry::count_dead_letters() {
  return [this](bus::handling_failure const& one) {
    counted_.add(bus::failures_metric, bus::failures_help, {{"stream", one.stream}, {"consumer", one.consumer}});
  };
}

http::pages health_registry::pages() const {
  return {{"/healthz", [] { return http::page{200, "ok\n"}; }}, {"/readyz", [this] { return readiness(); }}, {"/metrics", [this] {
                                                                                                                return metrics_page();
                                                                                                              }}};
}

http::page health_registry::readiness() const {
  std::string waiting;
  for (auto& [name, one] : checks_)
    if (auto why = waits(one); !why.empty()) waiting += "not ready: " + name + ": " + why + "\n";
  return waiting.empty() ? http::page{200, "ready\n"} : http::page{503, waiting};
}

http::page health_registry::metrics_page() const {
  metrics::registry seen = counted_;
  seen.set("kopiur_uptime_seconds", "Since when the process runs.", std::chrono::duration<double>(time_.now() - started_).count());
  for (auto& [name, one] : checks_) {
    seen.set("kopiur_ready", "Whether the service has filled its views and works.", waits(one).empty() ? 1 : 0, {{"service", name}});
    if (one.measure) one.measure(seen);
  }
  return {200, seen.text(), "text/plain; version=0.0.4"};
}

}  // namespace kopiur::runtime
