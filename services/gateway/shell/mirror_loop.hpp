#pragma once
#include <functional>
#include <map>
#include <set>

#include "services/gateway/core/mirror.hpp"
#include "services/gateway/core/progress.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The mirror: what the cluster has stands on the stream `resources`. At the start the differences are published, then the marker `listed`,
/// then every change; progress and rows of movers on their own subjects, in the order in which the cluster tells them. Each write names
/// what it follows: where another gateway has written meanwhile, all is compared over again, so that the last word of a former one is no
/// ghost.
class mirror_loop {
 public:
  struct listeners {
    std::function<void(json::value const&)> seen;           ///< an object is there, or was changed; not yet told to services
    std::function<void(proto::object_ref const&)> gone;     ///< an object went; after its tombstone
    std::function<void(progress_book::update)> progressed;  ///< a run of the object came so far
  };
  mirror_loop(ports to, asio::any_io_executor loop, listeners tell);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// Compares all over: the bus may have lost something.
  void again() { again_.notify(); }

 private:
  struct version {
    std::string uid, resource_version;
    std::string form;  ///< `judged`: of an object with marks; one that an older gateway has told lacks it, and is told again. `stub`
    bool operator==(version const&) const = default;
    bool is_version_of(version const& other) const { return uid == other.uid && resource_version == other.resource_version; }
  };
  static version version_in(bus::headers const& head);
  struct place {
    version of;
    std::uint64_t sequence = 0;
  };

  awaitable<void> read_what_stands();
  awaitable<void> pump();
  awaitable<void> take(cluster_change change);
  awaitable<void> tell(cluster_change change);
  awaitable<void> tell_object(json::value object);
  awaitable<void> tell_gone(proto::object_ref object);
  awaitable<void> tell_listed();
  awaitable<bus::result<std::uint64_t>> publish(bus::publication message, std::string uid);
  /// Why an object is told as a stub.
  struct unfit {
    std::string reason, what, advice;  ///< of a condition; what is so, and what to do, as sentences
  };
  awaitable<void> tell_stub(json::value object, unfit why);
  awaitable<void> say_mirrored(json::value const& object, std::string status, std::string reason, std::string message);
  awaitable<void> tell_rows(job_rows rows);
  void tell_progress(job_progress const& progress);

  ports to_;
  listeners tell_;
  progress_book progress_;
  app::event again_;
  std::map<std::string, place> standing_;        // by subject: what the stream has
  std::map<std::string, std::uint64_t> graves_;  // by subject: tombstones there, until the listing is complete
  std::set<std::string> told_;                   // subjects of this listing, until it is complete
  bool listing_ = true;
  std::string life_;  // part of message ids: what was told before is told again where it no longer stands
};

}  // namespace kopiur::gateway
