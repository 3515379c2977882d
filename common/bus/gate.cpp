#include "common/bus/gate.hpp"

#include <nats/nats.h>

#include <boost/asio.hpp>

namespace kopiur::bus {

namespace {
std::string last_error(natsConnection* nats) {
  char const* text = nullptr;
  natsConnection_GetLastError(nats, &text);
  return text ? text : "";
}
}  // namespace

template <class Step>
void gate::post(Step step) {
  std::lock_guard held(guard_);
  if (!loop_) return;
  asio::post(*loop_, [events = events_, step] {
    if (auto still = events.lock()) step(*still);
  });
}

/// The callbacks that nats.c calls on its own thread; `self` is always the gate.
struct gate_callbacks {
  static void disconnected(natsConnection*, void* self) {
    static_cast<gate*>(self)->post([](gate_events& events) { events.lost(); });
  }
  static void failed(natsConnection* nats, natsSubscription*, natsStatus, void* self) {
    static_cast<gate*>(self)->post([text = last_error(nats)](gate_events& events) { events.said(text); });
  }
  static void closed(natsConnection* nats, void* self) {
    auto* here = static_cast<gate*>(self);
    here->post([text = last_error(nats)](gate_events& events) { events.ended(text); });
    std::shared_ptr<gate> last;  // released after the lock
    std::lock_guard held(here->guard_);
    here->ended_ = true;
    here->end_.notify_all();
    last = std::move(here->self_);
  }
};

void gate::install(natsOptions* options) {
  natsOptions_SetDisconnectedCB(options, gate_callbacks::disconnected, this);
  natsOptions_SetClosedCB(options, gate_callbacks::closed, this);
  natsOptions_SetErrorHandler(options, gate_callbacks::failed, this);
}

void gate::keep(std::shared_ptr<gate> const& self, bool alive) {
  std::lock_guard held(self->guard_);
  self->self_ = alive ? self : nullptr;
}

void gate::shut(bool connected) {
  std::unique_lock held(guard_);
  loop_ = nullptr;
  if (connected) end_.wait_for(held, std::chrono::seconds(5), [this] { return ended_; });
}

}  // namespace kopiur::bus
