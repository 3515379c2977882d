#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "proto/core/lease.hpp"
#include "services/controller/core/lease_queue.hpp"
#include "services/controller/shell/listeners.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// Who holds each lease, and who waits for it, of all clusters, as maintenance-lease has written it. One view of both, so that who has seen
/// a change of the holders has seen every waiter from before it. Each message is decoded once; one that does not decode counts as absent,
/// and is logged. Each service that needs it has one, or all services of a process share one: with many holders a message is long. Pointers
/// are valid until the next suspension.
class lease_book {
 public:
  struct entry {
    proto::lease_state state;
    std::uint64_t sequence = 0;  ///< of the message
  };

  lease_book(service_context const& context, log::logger log);
  lease_book(lease_book const&) = delete;

  /// The underlying view; the caller runs it and waits for it.
  bus::view& view() { return view_; }
  /// Called after the holders or the waiters of a key have changed. Must not throw.
  void on_change(void const* listener, std::function<void(std::string const& key)> told) { told_.add(listener, std::move(told)); }
  void forget_listener(void const* listener) { told_.forget(listener); }

  /// The holders; nullptr: nobody ever held it, or it is free for long.
  entry const* find(std::string_view key) const;
  lease_queue const& queue(std::string_view key) const;
  queue_place place(std::string_view key, std::string const& cluster, std::string const& run) const;
  std::map<std::string, entry, std::less<>> const& all() const { return holders_; }
  /// The keys that somebody holds or waits for.
  std::set<std::string> keys() const;
  /// Runs that wait, of all keys.
  std::size_t waiters() const;
  /// Drops a waiter of which the stream has nothing.
  void forget(proto::lease_waiter const& waiter);

 private:
  void take(std::string const& subject, bus::stored const* now);
  void take_holders(std::string const& subject, bus::stored const* now);
  void take_waiter(std::string const& subject, bus::stored const* now);

  bus::view view_;
  log::logger log_;
  shared_decoder* decoder_;
  std::map<std::string, entry, std::less<>> holders_;       // by token of the key
  std::map<std::string, lease_queue, std::less<>> queues_;  // only of keys for which somebody waits
  listeners<std::string const&> told_;
};

/// The process's shared book, or one of the service's own.
struct lease_book_of_service {
  explicit lease_book_of_service(service_context const& context, log::logger log)
      : own(context.shared.leases ? nullptr : std::make_unique<lease_book>(context, std::move(log))),
        book(own ? *own : *context.shared.leases) {}

  std::unique_ptr<lease_book> const own;  ///< its owner follows its view
  lease_book& book;
};

}  // namespace kopiur::controller
