#include "common/bus/gate.hpp"

#include <nats/nats.h>

#include <boost/asio.hpp>
#include <unordered_map>

namespace kopiur::bus {

namespace {
std::string last_error(natsConnection* nats) {
  char const* text = nullptr;
  natsConnection_GetLastError(nats, &text);
  return text ? text : "";
}

/// The gates that nats.c may call, by the number that it keeps.
class numbered_gates {
 public:
  std::uintptr_t add(std::weak_ptr<gate> each) {
    std::lock_guard held(guard_);
    by_number_.emplace(++last_, std::move(each));
    return last_;
  }
  void remove(std::uintptr_t number) {
    std::lock_guard held(guard_);
    by_number_.erase(number);
  }
  std::shared_ptr<gate> find(void* number) {
    std::lock_guard held(guard_);
    auto found = by_number_.find(reinterpret_cast<std::uintptr_t>(number));
    return found == by_number_.end() ? nullptr : found->second.lock();
  }

 private:
  std::mutex guard_;
  std::uintptr_t last_ = 0;
  std::unordered_map<std::uintptr_t, std::weak_ptr<gate>> by_number_;
};

numbered_gates& gates() {
  static auto& all = *new numbered_gates;  // nats.c's thread may still call while the process ends
  return all;
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

/// The callbacks that nats.c calls on its own thread, with the number of the gate.
struct gate_callbacks {
  static void disconnected(natsConnection*, void* number) {
    if (auto gate = gates().find(number)) gate->post([](gate_events& events) { events.lost(); });
  }
  static void failed(natsConnection* nats, natsSubscription*, natsStatus, void* number) {
    if (auto gate = gates().find(number)) gate->post([text = last_error(nats)](gate_events& events) { events.said(text); });
  }
  static void closed(natsConnection* nats, void* number) {
    if (auto gate = gates().find(number)) gate->end(last_error(nats));
  }
};

gate::~gate() { gates().remove(number_); }

void gate::install(natsOptions* options) {
  number_ = gates().add(weak_from_this());
  auto* number = reinterpret_cast<void*>(number_);
  natsOptions_SetDisconnectedCB(options, gate_callbacks::disconnected, number);
  natsOptions_SetClosedCB(options, gate_callbacks::closed, number);
  natsOptions_SetErrorHandler(options, gate_callbacks::failed, number);
}

void gate::end(std::string const& why) {
  post([why](gate_events& events) { events.ended(why); });
  std::lock_guard held(guard_);
  ended_ = true;
  end_.notify_all();
}

void gate::shut(bool connected) {
  std::unique_lock held(guard_);
  loop_ = nullptr;
  if (connected) end_.wait_for(held, std::chrono::seconds(5), [this] { return ended_; });
}

}  // namespace kopiur::bus
