#include "common/bus/socket_pump.hpp"

#include <nats/nats.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio.hpp>

namespace kopiur::bus {

namespace {
constexpr std::size_t worth_a_write = 16 * 1024;
}

/// The four callbacks of nats.c; `self` is always the pump.
struct pump_callbacks {
  static natsStatus attach(void** self, void* pump, natsConnection* connection, natsSock fd) {
    *self = pump;
    int own = ::dup(fd);  // nats.c 3.4.1 closes its own descriptor while a loop still polls it
    if (own < 0) return NATS_SYS_ERROR;
    static_cast<socket_pump*>(pump)->attach(connection, own);
    return NATS_OK;
  }
  static natsStatus read(void* self, bool add) {
    if (!add) static_cast<socket_pump*>(self)->post([](socket_pump& p) { p.forget_socket(); });
    return NATS_OK;
  }
  static natsStatus write(void* self, bool add) {
    auto* pump = static_cast<socket_pump*>(self);
    pump->unsent_ = add;
    bool flushed_anyway = pump->turn_ == std::this_thread::get_id();
    if (add && !flushed_anyway) pump->post([](socket_pump& p) { p.flush(); });
    return NATS_OK;
  }
  static natsStatus detach(void* self) {
    static_cast<socket_pump*>(self)->detach();
    return NATS_OK;
  }
};

bool socket_pump::install(natsOptions* options) {
  return natsOptions_SetEventLoop(options, this, pump_callbacks::attach, pump_callbacks::read, pump_callbacks::write,
                                  pump_callbacks::detach) == NATS_OK;
}

template <class Step>
void socket_pump::post(Step step) {
  std::lock_guard held(gate_);
  if (!loop_) return;
  asio::post(*loop_, [self = shared_from_this(), step] { step(*self); });
}

void socket_pump::attach(natsConnection* connection, int fd) {
  {
    std::lock_guard held(gate_);
    self_ = shared_from_this();
    if (!loop_) {
      ::close(fd);
      return;
    }
  }
  post([connection, fd](socket_pump& p) { p.open(connection, fd); });
}

void socket_pump::detach() {
  post([](socket_pump& p) { p.forget_socket(); });
  std::shared_ptr<socket_pump> last;  // released after the lock
  std::lock_guard held(gate_);
  last = std::move(self_);
}

void socket_pump::retire() {
  forget_socket();
  std::lock_guard held(gate_);
  loop_ = nullptr;
}

void socket_pump::sever_after(steady::duration silence) {
  if (socket_ && steady::now() - last_read_ > silence) ::shutdown(socket_->native_handle(), SHUT_RDWR);
}

void socket_pump::open(natsConnection* connection, int fd) {
  forget_socket();
  if (!loop_) {
    ::close(fd);
    return;
  }
  connection_ = connection;
  last_read_ = steady::now();
  socket_ = std::make_unique<descriptor>(*loop_, fd);
  when(descriptor::wait_read, &socket_pump::take);
  flush();
}

void socket_pump::forget_socket() {
  ++generation_;
  waits_to_write_ = false;
  socket_.reset();
}

void socket_pump::when(descriptor::wait_type ready, void (socket_pump::*act)()) {
  socket_->async_wait(ready, [act, self = shared_from_this(), mine = generation_](boost::system::error_code failed) {
    if (!failed && mine == self->generation_) (*self.*act)();
  });
}

void socket_pump::take() {
  auto mine = generation_;
  last_read_ = steady::now();
  turn_ = std::this_thread::get_id();
  natsConnection_ProcessReadEvent(connection_);
  drain_();
  turn_ = std::thread::id();
  flush();  // at once: the answers to this read leave before the loop's next poll
  if (mine == generation_) when(descriptor::wait_read, &socket_pump::take);
}

void socket_pump::handed(std::size_t bytes) {
  handed_ += bytes;
  if (handed_ >= worth_a_write) flush();
}

void socket_pump::flush() {  // does not wait first: a socket is nearly always writable
  handed_ = 0;
  if (!socket_ || waits_to_write_ || !unsent_) return;
  natsConnection_ProcessWriteEvent(connection_);
  waits_to_write_ = unsent_ && socket_;
  if (waits_to_write_) when(descriptor::wait_write, &socket_pump::flush_again);
}

void socket_pump::flush_again() {
  waits_to_write_ = false;
  flush();
}

}  // namespace kopiur::bus
