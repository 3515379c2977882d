#pragma once
#include <functional>
#include <vector>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "proto/events/status.hpp"
#include "services/mirror/core/objects.hpp"
#include "services/mirror/shell/listeners.hpp"
#include "services/mirror/shell/place.hpp"

namespace kopiur::mirror {

/// The objects of one cluster, followed on the bus: a part of a sight.
class follower {
 public:
  /// `kinds`: of the objects that are followed; none: all.
  follower(place const& at, std::vector<std::string> const& kinds, log::logger log);

  /// Follows for ever.
  boost::asio::awaitable<void> run() { return view_.run(); }
  /// The gateway's whole list has been seen: only then is an object's absence a fact.
  boost::asio::awaitable<void> until_listed();
  boost::asio::awaitable<void> until(std::uint64_t sequence) { return view_.until(sequence); }
  /// Up to which sequence of the stream nothing is missing here.
  std::uint64_t seen() const { return view_.seen(); }
  void on_change(void const* who, std::function<void(proto::object_ref const&)> told) { told_.add(who, std::move(told)); }
  void forget(void const* who) { told_.forget(who); }

  mirror::objects const& objects() const { return objects_; }
  /// The last message of an object; of sequence 0 when it is not there.
  proto::source source_of(proto::object_ref const& object) const;

 private:
  std::string cluster_;
  log::logger log_;
  bus::view view_;
  mirror::objects objects_;
  app::event changed_;
  listeners<proto::object_ref const&> told_;
};

}  // namespace kopiur::mirror
