#pragma once
#include <chrono>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur {

/// A time zone of the IANA database as an immutable value; cheap to copy. All zones of one name share one table for the life of the
/// process: an update of tzdata takes effect after a restart.
class zone {
 public:
  /// A stretch of time with one offset from UTC: [begin, end). Neighbours differ in offset.
  struct era {
    std::chrono::sys_seconds begin, end;
    std::chrono::seconds offset;         ///< local time = UTC + offset
    std::chrono::seconds offset_before;  ///< of the previous era; for the first era its own
  };

  /// By IANA name, `Europe/Berlin`. The error is a sentence: what is wrong with the name, or that tzdata is not installed.
  static std::expected<zone, std::string> find(std::string_view name);
  /// UTC: needs no database.
  static zone utc();

  std::string const& name() const;
  /// The era that contains an instant. Before 1970 the offset of 1970 applies; from 2038 on, the last standard offset (the library's
  /// limit).
  era at(std::chrono::sys_seconds) const;
  /// Local time at an instant.
  std::chrono::local_seconds local(instant) const;

  bool operator==(zone const& other) const { return name() == other.name(); }

 private:
  struct table;
  explicit zone(std::shared_ptr<table const> t) : table_(std::move(t)) {}
  std::shared_ptr<table const> table_;  // shared by every zone of this name
};

}  // namespace kopiur
