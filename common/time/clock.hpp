#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/time/instant.hpp"

namespace kopiur {

/// Time as a port: services ask for it here and nowhere else, so that a simulation can own it.
class clock {
 public:
  virtual ~clock() = default;
  /// The wall clock. It may step, in both directions: whoever compares instants must be right all the same.
  virtual instant now() const = 0;
  /// Returns once now() has reached `when`; the wall clock may have been stepped meanwhile. Can be cancelled.
  virtual boost::asio::awaitable<void> sleep_until(instant when) = 0;
  /// Returns after `length` of steady time: steps of the wall clock do not matter. Can be cancelled.
  virtual boost::asio::awaitable<void> sleep_for(duration length) = 0;
};

}  // namespace kopiur
