#pragma once
#include <map>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "proto/events/command.hpp"

namespace kopiur::gateway {

/// Which objects are told how far their run is, and how often: `status.progress` every 30 s at most (decisions.md section 4); what is
/// watched more closely goes over the bus.
class progress_book {
 public:
  /// An update of an object's status.
  struct update {
    proto::object_ref object;
    json::value status;
  };
  /// A Job as it is mirrored: its run is for these objects.
  void know(json::value const& job);
  /// The Job `<run>-<attempt>` is gone.
  void forget(std::string const& job);
  /// What is to be written now of what a mover says; nothing within 30 s after the last time.
  std::vector<update> take(std::string const& run, proto::work_progress const& said, instant now);

 private:
  struct entry {
    std::vector<proto::object_ref> serves;
    instant told{};
  };
  std::map<std::string, entry> runs_;
};

}  // namespace kopiur::gateway
