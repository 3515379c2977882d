#pragma once
#include <boost/asio/cancellation_signal.hpp>

#include "common/app/async.hpp"

namespace kopiur::executor::openbao {

/// SIGTERM and SIGINT: they cancel the work, until it is protected; after that they are only reported.
class stop_signal {
 public:
  explicit stop_signal(boost::asio::any_io_executor const& loop) : asked_(loop) {}

  boost::asio::cancellation_slot slot() { return cancel_.slot(); }
  void ask() {
    asked_.notify();
    if (!protected_) cancel_.emit(boost::asio::cancellation_type::terminal);
  }
  /// From now on nothing is cancelled.
  void protect() { protected_ = true; }
  bool was_asked() const { return asked_.epoch() > 0; }
  /// Returns once it was asked.
  boost::asio::awaitable<void> wait() { return asked_.wait(0); }

 private:
  boost::asio::cancellation_signal cancel_;
  app::event asked_;
  bool protected_ = false;
};

}  // namespace kopiur::executor::openbao
