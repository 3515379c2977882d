#pragma once
#include <deque>
#include <functional>
#include <optional>
#include <variant>

#include "common/kubernetes/client.hpp"

namespace kopiur::kubernetes {

/// The current state of an object.
struct object_is {
  json::value object;
};
/// It was deleted; in its last state. After a `started_over`, an object that is not listed again was deleted without this.
struct object_gone {
  json::value object;
};
/// All existing objects were reported; changes follow.
struct all_told {};
/// Everything is reported again: the server no longer knows the changes since.
struct started_over {};
using change = std::variant<object_is, object_gone, all_told, started_over>;

/// All objects of one collection, then every change, in order and without a gap: a paged list, then watches, each from the version at which
/// the last one ended. An expired version (410) causes `started_over`. It retries forever: `told` receives each failure.
class reflector {
 public:
  struct options {
    kubernetes::resource resource;
    std::string namespace_;      ///< empty: all namespaces
    std::string selector;        ///< label selector; empty: all
    bool metadata_only = false;  ///< the server sends only apiVersion, kind and metadata
    int page = 500;              ///< objects in a request; halved when the answer exceeds the limit
    duration silence{180'000};   ///< the server sends a bookmark each minute: after this silence the watch is restarted
    std::function<void(error const&)> told = [](error const&) {};
  };
  reflector(client& api, clock& time, options options) : api_(api), time_(time), options_(std::move(options)) {}

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
  options options_;
  std::deque<change> ready_;
  std::string version_;     // watches continue from here; empty: not listed to the end yet
  std::string page_token_;  // of the next page
  bool told_any_ = false;   // since the last start
  std::unique_ptr<connection> watch_;
  int failures_ = 0;
};

}  // namespace kopiur::kubernetes
