#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <variant>

#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/adapters/kubernetes/kinds.hpp"

namespace kopiur::gateway::kubernetes {

/// The object is so now.
struct object_is {
  json::value object;
};
/// It is gone; as it was last. After a `started_over` what does not come again is gone without this.
struct object_gone {
  json::value object;
};
/// All there is has come; from here on come changes.
struct all_told {};
/// Everything comes again: the server no longer knows what happened since.
struct started_over {};
using change = std::variant<object_is, object_gone, all_told, started_over>;

/// Everything of one collection, then every change, in order and without a gap: a paged list, then watches, each from the version at which
/// the last one ended. A version that has expired (410) means `started_over`. It never gives up: `told` hears each failure.
class reflector {
 public:
  struct options {
    resource of;
    std::string namespace_;      ///< empty: all namespaces
    std::string selector;        ///< of labels; empty: all
    bool metadata_only = false;  ///< nothing but apiVersion, kind and metadata is ever sent to us
    int page = 500;              ///< objects a request; halved where the answer is larger than we read
    duration silence{180'000};   ///< the server sends a bookmark a minute: after so long without a word the watch is begun again
    std::function<void(error const&)> told = [](error const&) {};
  };
  reflector(client& api, clock& time, options how) : api_(api), time_(time), how_(std::move(how)) {}

  /// Waits forever. Can be cancelled.
  awaitable<change> next();

 private:
  call collection(std::string_view form) const;
  json::value named(json::value object) const;
  awaitable<void> list_page();
  awaitable<void> watch_on();
  awaitable<void> begin_watch();
  std::optional<error> take(std::string const& line);
  awaitable<void> failed(error const&);
  void start_over();

  client& api_;
  clock& time_;
  options how_;
  std::deque<change> ready_;
  std::string version_;     // watches go on from here; empty: it has not been listed to the end
  std::string page_token_;  // of the next page
  bool told_any_ = false;   // since the last start
  std::unique_ptr<connection> watch_;
  int failures_ = 0;
};

}  // namespace kopiur::gateway::kubernetes
