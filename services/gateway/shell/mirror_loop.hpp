#pragma once
#include <functional>
#include <map>
#include <set>

#include "services/gateway/core/mirror.hpp"
#include "services/gateway/core/progress.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Mirrors the cluster's objects to the stream `resources`. At the start it publishes the differences, then the marker `listed`, then every
/// change. Progress and rows of movers go to subjects of their own, in the order in which the cluster reports them. Each write names its
/// predecessor: if another gateway wrote in between, everything is compared again, so a late write of a deposed gateway does not stay.
class mirror_loop {
 public:
  struct listeners {
    std::function<void(json::value const&)> seen;           ///< an object exists, or changed; before it is published
    std::function<void(proto::object_ref const&)> gone;     ///< an object was deleted; after its tombstone is published
    std::function<void(progress_book::update)> progressed;  ///< new progress of a run of the object
  };
  mirror_loop(ports ports, asio::any_io_executor loop, listeners tell);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// Compares everything again: the bus may have lost data.
  void again() { again_.notify(); }

 private:
  struct version {
    std::string uid, resource_version;
    std::string form;  ///< `stub`, or `judged` for an object with marks. Older gateways omit `judged`: such objects are published again
    bool operator==(version const&) const = default;
    bool is_version_of(version const& other) const { return uid == other.uid && resource_version == other.resource_version; }
  };
  static version version_in(bus::headers const& head);
  struct published {
    mirror_loop::version version;
    std::uint64_t sequence = 0;
  };

  awaitable<void> read_what_stands();
  awaitable<void> pump();
  awaitable<void> take(cluster_change change);
  awaitable<void> tell(cluster_change change);
  awaitable<void> tell_object(json::value object);
  awaitable<void> tell_gone(proto::object_ref object);
  awaitable<void> tell_stale(std::function<bool(std::string const& subject, proto::object_ref const&)> is_stale);
  awaitable<void> tell_kind(kind_seen seen);
  awaitable<void> tell_listed();
  awaitable<bus::result<std::uint64_t>> publish(bus::publication message, std::string uid);
  /// Why an object is published as a stub.
  struct unfit {
    std::string reason, what, advice;  ///< reason of the condition; the problem and its remedy, as sentences
  };
  awaitable<void> tell_stub(json::value object, unfit why);
  awaitable<void> say_mirrored(json::value const& object, std::string status, std::string reason, std::string message);
  awaitable<void> tell_rows(job_rows rows);
  void tell_progress(job_progress const& progress);

  ports ports_;
  listeners tell_;
  progress_book progress_;
  app::event again_;
  std::map<std::string, published> standing_;        // by subject: the last message on the stream
  std::map<std::string, std::uint64_t> tombstones_;  // by subject: tombstones on the stream, until the listing is complete
  std::set<std::string> told_;                       // subjects of the current listing, until it is complete
  bool listing_ = true;
  std::string life_;  // part of message ids: else the stream would drop a republished message as a duplicate
};

}  // namespace kopiur::gateway
