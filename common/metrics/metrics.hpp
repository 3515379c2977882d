#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Counters and gauges, and their Prometheus text. One registry a process; one loop, no locks.
namespace kopiur::metrics {

/// Label names and values, as `{{"namespace", "default"}}`.
using labels = std::map<std::string, std::string>;

class registry {
 public:
  /// Adds to a counter; its name ends in `_total`.
  void add(std::string_view name, std::string_view help, labels const& of = {}, double by = 1);
  /// Sets a gauge.
  void set(std::string_view name, std::string_view help, double to, labels const& of = {});
  /// Adds one observation to a summary: its sum and count are shown.
  void observe(std::string_view name, std::string_view help, double value, labels const& of = {});
  /// Removes the series of an object that is gone.
  void forget(std::string_view name, labels const& of);
  /// The text exposition format, version 0.0.4.
  std::string text() const;

 private:
  struct family {
    std::string help, type;
    std::map<labels, double> series;
    std::map<labels, std::uint64_t> counts;  ///< summaries only: how many make up the sum
  };
  std::map<std::string, family, std::less<>> families_;
};

}  // namespace kopiur::metrics
