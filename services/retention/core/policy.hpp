#pragma once
#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "common/time/zone.hpp"
#include "proto/kopiur/backup_config.hpp"

/// A BackupConfig's `retention`, compiled for judging.
namespace kopiur::retention {

enum class period { latest, hourly, daily, weekly, monthly, annual };
inline constexpr std::size_t periods = 6;
inline constexpr std::array<std::string_view, periods> period_names{"latest", "hourly", "daily", "weekly", "monthly", "annual"};

/// How many rows each rule keeps (0: the rule is not set), and the calendar's zone.
struct policy {
  std::array<std::uint32_t, periods> keep{};
  zone calendar = zone::utc();
  /// False when no rule keeps anything: then nothing is pruned. (Otherwise `keepLatest: 0` alone would mean "delete all".)
  bool prunes() const;
};

/// The error is a sentence: only the time zone can be wrong.
std::expected<policy, std::string> compile(proto::retention_policy const&);

}  // namespace kopiur::retention
