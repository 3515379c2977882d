#pragma once
#include "proto/events/watch.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::mover_orchestration {

/// The shared record of when the cluster answered. While a wait counts this time, the cluster is asked once per stretch of half a minute:
/// all replicas use the same key.
class watch {
 public:
  static constexpr duration stretch{30'000};

  watch(controller::service_context const& context, log::logger log);

  /// The view of the record, for the owner to follow.
  bus::view& view() { return log_.view(); }
  /// As the core's watched().
  duration watched(instant since) const;
  /// The key of a question: 0 for the current stretch, 1 for the one before it.
  std::string key(int back) const;
  /// Records that the question of that stretch was answered.
  boost::asio::awaitable<void> note(int back);

 private:
  instant stretch_at(int back) const;

  controller::service_context const context_;
  std::string subject_;
  controller::typed_view<proto::watch_log> log_;
};

}  // namespace kopiur::mover_orchestration
