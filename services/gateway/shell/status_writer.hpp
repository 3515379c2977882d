#pragma once
#include <functional>
#include <map>

#include "common/app/work_queue.hpp"
#include "common/compression/similar_texts.hpp"
#include "services/gateway/core/status.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Writes the status of objects, composed of the fragments of services (core/status.hpp). Changes within 50 ms become one write. Then each
/// object is written at most once a second, and only when its status changes. A receipt does not wait, neither for that nor for other
/// objects, since its run's Job waits for it.
/// Fragments of deleted or recreated objects are removed from the stream; a message that is not a fragment becomes a dead letter.
class status_writer {
 public:
  /// `started_over` is called when the feed of fragments starts over: messages were missed, or the stream was recreated.
  status_writer(ports ports, asio::any_io_executor loop, std::function<void()> started_over);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// The object exists, or changed; its status may have been changed by another process.
  void seen(json::value const& object);
  /// The object was deleted: its fragments are removed.
  void gone(proto::object_ref const& object);
  /// The gateway's own fragment: the progress of a run. It is not stored on the bus; the object keeps the last one written.
  void live(proto::object_ref const& object, json::value status);
  /// Writes since the start, for tests and metrics.
  std::uint64_t writes() const { return writes_; }

 private:
  struct kept_fragment {
    std::string uid, packed;  // the fragment as text in texts_
    std::uint64_t sequence = 0;
  };

  struct object_entry {
    std::map<std::string, kept_fragment> fragments;  // by service
    duration rests_until{};                          // in steady time: it is not written before, except for news
  };

  proto::status_fragment decoded(object_key const& key, kept_fragment const& one) const;
  bool is_another_phase(object_key const& key, proto::status_fragment const& now) const;

  awaitable<void> follow();
  awaitable<void> work_on(object_key key);
  void take(bus::stored const& message);
  void touch(object_key const& key);
  /// Returns how long the object must not be written again.
  awaitable<duration> write(object_key key);
  /// The same from this copy of the object; nothing: the copy is outdated.
  awaitable<std::optional<duration>> write_from(object_key const& key, json::value object);
  bool all_for(object_key const& key, std::string_view uid) const;
  awaitable<json::value> read(object_key const& key);
  awaitable<void> drop_stale(object_key key, std::string uid);
  awaitable<void> withdraw(std::string subject, std::uint64_t sequence);
  awaitable<void> store_dead_letter(bus::stored message, std::string why);
  awaitable<bus::result<bus::receipt>> clear(std::string subject, std::uint64_t sequence);

  ports ports_;
  app::work_queue<object_key> queue_;  // objects whose status may have to be written
  app::nursery workers_;
  std::function<void()> started_over_;
  std::map<std::string, compression::similar_texts> texts_;  // by kind
  std::map<object_key, object_entry> objects_;
  bool complete_ = false;  // the stream has been read to its end
  std::uint64_t writes_ = 0;
};

}  // namespace kopiur::gateway
