#pragma once
#include <functional>
#include <map>
#include <set>

#include "services/gateway/core/status.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Writes what services claim of objects' status: composed (core/status.hpp), at most once a second and object, never when nothing changes.
/// A claim on an object that is gone, or was made anew, is taken off the stream.
class status_writer {
 public:
  /// `started_over` is called when the feed of claims starts over: something was missed, or the stream is another one.
  status_writer(ports to, asio::any_io_executor loop, std::function<void()> started_over);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// The object went: its claims go too.
  void gone(proto::object_ref const& object);
  /// The gateway's own share: how far a run is. It is not kept on the bus; what is in the object stays there.
  void live(proto::object_ref const& object, json::value status);
  /// Writes since the start, for tests and metrics.
  std::uint64_t writes() const { return writes_; }

 private:
  struct claimed {
    proto::status_claim claim;
    std::uint64_t sequence = 0;
  };

  awaitable<void> follow();
  awaitable<void> write_dirty();
  void take(bus::stored const& message);
  awaitable<bool> write(object_key key);
  awaitable<void> take_off(object_key key, std::string uid);
  bool rests(object_key const& key) const;

  ports to_;
  app::event more_;
  std::function<void()> started_over_;
  std::map<object_key, std::map<std::string, claimed>> claims_;  // by object, by service
  std::set<object_key> dirty_;
  bool complete_ = false;  // all that lies on the stream has been read
  std::uint64_t round_ = 0, writes_ = 0;
  std::map<object_key, std::uint64_t> written_;  // the round of the last write, while it matters
};

}  // namespace kopiur::gateway
