#pragma once
#include "common/files/files.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// The last Events of each object, below `<data>/events`. They are for users, so they are not objects. They stay for a week after their
/// object.
class event_files {
 public:
  explicit event_files(fs::path folder) : folder_(std::move(folder)) {}

  void add(object_key const& object, proto::record_event const& event, instant now) const;
  /// Removes the Events of objects that are not in `live`.
  void sweep(object_map const& live) const;

 private:
  fs::path path_of(object_key const& object) const;

  fs::path folder_;
};

}  // namespace kopiur::gateway::local
