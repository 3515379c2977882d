#pragma once
#include <deque>
#include <functional>
#include <map>

#include "common/app/semaphore.hpp"
#include "services/gateway/core/status.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Writes the status of objects, composed of the fragments of services (core/status.hpp). A few objects at a time; what comes within 50 ms
/// is one write, then at most one a second (a receipt does not wait: its run's Job waits for it), and none where nothing changes. A
/// fragment for an object that is gone, or was made again, is removed from the stream; a message that is no fragment becomes a dead letter.
class status_writer {
 public:
  /// `started_over` is called when the feed of fragments starts over: something was missed, or the stream is another one.
  status_writer(ports to, asio::any_io_executor loop, std::function<void()> started_over);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// The object is there, or was changed: by somebody else its status too.
  void seen(json::value const& object);
  /// The object went: its fragments go too.
  void gone(proto::object_ref const& object);
  /// The gateway's own fragment: how far a run is. It is not kept on the bus; what is in the object stays there.
  void live(proto::object_ref const& object, json::value status);
  /// Writes since the start, for tests and metrics.
  std::uint64_t writes() const { return writes_; }

 private:
  struct kept_fragment {
    std::string uid, text;  // the fragment as text: a fifth of the memory
    std::uint64_t sequence = 0;
    proto::status_fragment decoded() const;
  };

  static bool is_another_phase(std::map<std::string, kept_fragment> const& fragments, proto::status_fragment const& now);

  awaitable<void> follow();
  awaitable<void> dispatch();
  awaitable<void> work_on(object_key key, app::semaphore::permit slot);
  awaitable<void> pause(app::event& news, duration length);
  void take(bus::stored const& message);
  void touch(object_key key, bool at_once = false);
  /// How long the object is to rest after it.
  awaitable<duration> write(object_key key);
  /// The same; nothing: the object is no longer as it is said to be.
  awaitable<std::optional<duration>> write_from(object_key const& key, json::value object);
  bool all_for(object_key const& key, std::string_view uid) const;
  awaitable<json::value> read(object_key const& key);
  awaitable<void> drop_stale(object_key key, std::string uid);
  awaitable<void> store_dead_letter(bus::stored message, std::string why);
  awaitable<bus::result<bus::receipt>> clear(std::string subject, std::uint64_t sequence);

  ports to_;
  asio::any_io_executor loop_;
  app::semaphore work_slots_, write_slots_;
  app::nursery workers_;
  app::event more_;
  std::function<void()> started_over_;
  std::map<object_key, std::map<std::string, kept_fragment>> fragments_;  // by object, by service
  bool complete_ = false;                                                 // all that lies on the stream has been read
  std::map<object_key, bool> dirty_;                                      // to be written; at once
  std::deque<object_key> queue_;                                          // of these, in the order in which they became so
  std::map<object_key, app::event> in_work_;                              // being written, or at rest after it: ended by news
  std::uint64_t writes_ = 0;
};

}  // namespace kopiur::gateway
