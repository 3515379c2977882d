#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Counters and gauges, exported as Prometheus text. One registry per process; one loop, no locks.
namespace kopiur::metrics {

/// Label names and values, as `{{"namespace", "default"}}`.
using labels = std::map<std::string, std::string>;

class registry {
 public:
  /// Adds to a counter, whose name must end in `_total`.
  void add(std::string_view name, std::string_view help, labels const& labels = {}, double by = 1);
  /// Sets a gauge.
  void set(std::string_view name, std::string_view help, double value, labels const& labels = {});
  /// Adds observations to a summary, which exports sum and count: one observation, or `count` with the total `sum`.
  void observe(std::string_view name, std::string_view help, double sum, labels const& labels = {}, std::uint64_t count = 1);
  /// Merges another registry: counters and summaries are added, gauges take the other's value.
  void merge(registry const& other);
  /// Removes the series of a deleted object.
  void forget(std::string_view name, labels const& labels);
  /// The text exposition format, version 0.0.4.
  std::string text() const;

 private:
  struct family {
    std::string help, type;
    std::map<labels, double> series;
    std::map<labels, std::uint64_t> counts;  ///< summaries only: the number of observations in the sum
  };
  std::map<std::string, family, std::less<>> families_;
};

}  // namespace kopiur::metrics
