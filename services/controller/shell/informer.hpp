#pragma once
#include <functional>
#include <vector>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "proto/events/status.hpp"
#include "services/controller/core/objects.hpp"
#include "services/controller/shell/listeners.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// The objects of one cluster, kept up to date from the gateway's mirror on the bus: a part of a cluster_cache.
class informer {
 public:
  /// `kinds`: of the objects to follow; empty: all.
  informer(service_context const& context, std::vector<std::string> const& kinds, log::logger log);

  /// Follows the bus; ends only by cancellation or failure.
  boost::asio::awaitable<void> run() { return view_.run(); }
  /// Returns when the gateway's whole list is known: only then does an absent object not exist.
  boost::asio::awaitable<void> until_listed();
  boost::asio::awaitable<void> until(std::uint64_t sequence) { return view_.until(sequence); }
  /// The stream sequence up to which this informer has seen everything.
  std::uint64_t seen() const { return view_.seen(); }
  void on_change(void const* listener, std::function<void(proto::object_ref const&)> told) { told_.add(listener, std::move(told)); }
  void forget(void const* listener) { told_.forget(listener); }

  controller::objects const& objects() const { return objects_; }
  /// All that this informer has seen: what a decision that reads several objects is made from.
  proto::source source_of_all() const { return {view_.newest().sequence, view_.newest().time}; }
  /// The last message of an object; sequence 0 when the object does not exist.
  proto::source source_of(proto::object_ref const& object) const;

 private:
  std::string cluster_;
  shared_decoder* decoder_;
  log::logger log_;
  bus::view view_;
  controller::objects objects_;
  app::event changed_;
  listeners<proto::object_ref const&> told_;
};

}  // namespace kopiur::controller
