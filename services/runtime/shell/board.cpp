#include "services/runtime/shell/board.hpp"

namespace kopiur::runtime {

namespace {
std::string waits(seat const& one) { return one.waits ? one.waits() : "it has not started"; }
}  // namespace

std::function<void(bus::death const&)> board::deaths() {
  return [this](bus::death const& one) {
    counted_.add(bus::deaths_metric, bus::deaths_help, {{"stream", one.stream}, {"consumer", one.consumer}});
  };
}

http::pages board::pages() const {
  return {{"/healthz", [] { return http::page{200, "ok\n"}; }}, {"/readyz", [this] { return readiness(); }}, {"/metrics", [this] {
                                                                                                                return figures();
                                                                                                              }}};
}

http::page board::readiness() const {
  std::string waiting;
  for (auto& [name, one] : seats_)
    if (auto why = waits(one); !why.empty()) waiting += "not ready: " + name + ": " + why + "\n";
  return waiting.empty() ? http::page{200, "ready\n"} : http::page{503, waiting};
}

http::page board::figures() const {
  metrics::registry seen = counted_;
  seen.set("kopiur_uptime_seconds", "Since when the process runs.", std::chrono::duration<double>(time_.now() - started_).count());
  for (auto& [name, one] : seats_) {
    seen.set("kopiur_ready", "Whether the service has filled its views and works.", waits(one).empty() ? 1 : 0, {{"service", name}});
    if (one.measure) one.measure(seen);
  }
  return {200, seen.text(), "text/plain; version=0.0.4"};
}

}  // namespace kopiur::runtime
