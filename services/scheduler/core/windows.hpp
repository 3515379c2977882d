#pragma once
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "common/time/zone.hpp"
#include "proto/kopiur/backup_schedule.hpp"

/// The parts of the week in which slots may begin (`spec.schedule.windows`).
namespace kopiur::scheduler {

class windows {
 public:
  /// Always open.
  windows() = default;
  /// The error is a sentence that names the field.
  [[nodiscard]] static std::expected<windows, std::string> compile(proto::schedule_windows const&);

  bool always_open() const { return allowed_.empty() && blackout_.empty(); }
  /// By the local time of the zone.
  bool open(instant time, zone const&) const;
  /// `at` itself when open, else the first open minute after it; empty: no minute of the week is open.
  std::optional<instant> opens(instant time, zone const&) const;

 private:
  /// Minutes of the week, from Monday 00:00; a span past the end of the week continues at its start.
  struct span {
    int begin = 0, length = 0;
  };
  static std::expected<std::vector<span>, std::string> spans_of(std::vector<proto::time_window> const&, std::string const& field);
  static bool holds(std::vector<span> const&, int minute);

  std::vector<span> allowed_, blackout_;
};

}  // namespace kopiur::scheduler
