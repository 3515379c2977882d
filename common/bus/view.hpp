#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "common/app/async.hpp"
#include "common/bus/port.hpp"
#include "common/time/clock.hpp"

namespace kopiur::bus {

/// True when a message marks its subject as deleted: an empty body, `KV-Operation` (DEL, PURGE) or `Nats-Marker-Reason`.
bool says_gone(stored const&);

/// A cache of the last message of each subject under the filters, kept current from the stream. It may lag behind the stream, so decisions
/// that matter use compare-and-set. Pointers and iterators are valid until the next suspension.
class view {
 public:
  /// A subject changed; nullptr when it was deleted. Called by run(), in stream order; must not throw.
  using changed = std::function<void(std::string const& subject, stored const* now)>;

  /// What to keep of a message after the callbacks: all of it, or only its mark, for owners that keep another form of it.
  enum class keep { messages, marks };
  /// Identifies a message.
  struct mark {
    std::uint64_t sequence = 0;
    instant time{};
    bool operator==(mark const&) const = default;
  };

  view(port& bus, clock& time, asio::any_io_executor loop, std::string stream, std::vector<std::string> filters, keep = keep::messages);
  view(view const&) = delete;

  /// Adds a callback. It is not called for messages that came before.
  void on_change(changed told) { told_.push_back(std::move(told)); }
  /// Follows the stream; ends only by cancellation. One call at a time.
  asio::awaitable<void> run();

  /// All messages that existed at the start have been seen. Stays true: after a gap the old content is served until the new one is
  /// complete.
  bool ready() const { return ready_; }
  asio::awaitable<void> until_ready();
  /// Returns when this view misses nothing under the filters up to `sequence`: every such message was seen, or was replaced or removed
  /// before. If no message under the filters reaches `sequence`, the view asks the stream's leader for the last one. Waits forever while
  /// the bus is down. run() must be running.
  asio::awaitable<void> until(std::uint64_t sequence);

  /// The last message on a subject; nullptr when there is none, or it marks a deletion. find(), under() and all() need keep::messages.
  stored const* find(std::string_view subject) const;
  /// All whose subject begins with `prefix`, in subject order: pairs of subject and message.
  auto under(std::string_view prefix) const {
    return std::ranges::subrange(entries_.lower_bound(prefix), entries_.lower_bound(std::string(prefix) + '\xff')) | as_pairs;
  }
  auto all() const { return entries_ | as_pairs; }
  /// The mark of the last message on a subject, with either `keep`; nullptr as for find().
  mark const* find_mark(std::string_view subject) const;
  std::size_t size() const { return entries_.size(); }
  /// The highest sequence up to which nothing is missing.
  std::uint64_t seen() const { return seen_; }
  /// The same, with the time of the last message that this view has received since it began or restarted.
  mark newest() const { return {seen_, newest_}; }

 private:
  struct held {
    view::mark mark;
    std::uint32_t listing = 0;          // the last one that had it
    std::unique_ptr<stored> message{};  // null with keep::marks
  };
  static constexpr auto as_pairs = std::views::transform(
      [](auto const& entry) { return std::pair<std::string const&, stored const&>(entry.first, *entry.second.message); });

  void take(stored message);
  void take(caught_up const& end);
  void take(restarted const&);
  void drop(std::string const& subject);
  void tell(std::string const& subject, stored const* now);
  asio::awaitable<void> read();
  asio::awaitable<void> nag();
  asio::awaitable<std::uint64_t> reach(std::uint64_t sequence);

  port& bus_;
  clock& time_;
  std::string stream_;
  std::vector<std::string> filters_;
  keep keep_;
  std::vector<changed> told_;
  std::map<std::string, held, std::less<>> entries_;
  std::uint32_t listing_ = 0;  // counts the restarts
  bool catching_up_ = true;
  bool ready_ = false;
  std::uint64_t seen_ = 0;
  instant newest_{};
  app::event moved_;
  app::event asked_;
  bool wanted_ = false;  // a caller waits in until()
  std::uint64_t nags_ = 0;
};

}  // namespace kopiur::bus
