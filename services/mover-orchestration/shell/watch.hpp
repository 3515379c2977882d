#pragma once
#include "proto/events/watch.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::mover_orchestration {

/// What all replicas know together of when the cluster answered. While something waits that counts this time, the cluster is asked in each
/// stretch of half a minute, under one key, so once for all replicas.
class watch {
 public:
  static constexpr duration stretch{30'000};

  watch(controller::service_context const& at, log::logger log);

  /// To be followed.
  bus::view& view() { return log_.view(); }
  /// As watched() of the core.
  duration watched(instant since) const;
  /// The key of the question of that stretch, 0: of the one of now, 1: of the one before it.
  std::string key(int back) const;
  /// The question of that stretch was answered.
  boost::asio::awaitable<void> note(int back);

 private:
  instant stretch_at(int back) const;

  controller::service_context const at_;
  std::string subject_;
  controller::typed_view<proto::watch_log> log_;
};

}  // namespace kopiur::mover_orchestration
