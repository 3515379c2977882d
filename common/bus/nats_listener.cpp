#include "common/bus/nats_listener.hpp"

#include <boost/asio.hpp>

namespace kopiur::bus {

namespace {
constexpr std::size_t most = 4096;

stored as_stored(message const& m) {
  auto now = std::chrono::floor<duration>(std::chrono::system_clock::now());
  return {std::string(m.subject()), std::string(m.body()), m.head(), 0, now};
}
}  // namespace

nats_listener::nats_listener(std::shared_ptr<session> session, std::string const& subject)
    : session_(std::move(session)), arrived_(session_->link().loop().get_executor()) {
  auto made = session_->link().listen(subject, [this](message m) {
    if (queue_.size() == most) queue_.pop_front();
    queue_.push_back(as_stored(m));
    arrived_.notify();
  });
  if (made)
    where_ = *made;
  else
    session_->notice(made.error().text);
}

nats_listener::~nats_listener() {
  if (where_) session_->link().unlisten(*where_);
}

asio::awaitable<stored> nats_listener::next() {
  while (queue_.empty()) co_await arrived_.wait(arrived_.epoch());
  auto first = std::move(queue_.front());
  queue_.pop_front();
  co_return first;
}

}  // namespace kopiur::bus
