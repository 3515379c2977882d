#pragma once
#include <map>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "proto/events/command.hpp"

namespace kopiur::gateway {

/// Decides which objects get `status.progress`, and when: every 30 s at most (decisions.md section 4). More frequent updates go over the
/// bus.
class progress_book {
 public:
  /// An update of an object's status.
  struct update {
    proto::object_ref object;
    json::value status;
  };
  /// Reads a mirrored Job: which objects its run serves.
  void know(json::value const& job);
  /// The Job `<run>-<attempt>` was deleted.
  void forget(std::string const& job);
  /// The updates to write now for a mover's report; none within 30 s after the previous ones.
  std::vector<update> take(std::string const& run, json::value const& said, instant now);

 private:
  struct entry {
    std::vector<proto::object_ref> serves;
    instant told{};
  };
  std::map<std::string, entry> runs_;
};

}  // namespace kopiur::gateway
