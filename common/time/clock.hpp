#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/time/instant.hpp"

namespace kopiur {

/// Time as a port: services read it only here, so that a simulation can control it.
class clock {
 public:
  virtual ~clock() = default;
  /// The wall clock. It may step in both directions, and code that compares instants must stay correct.
  virtual instant now() const = 0;
  /// Returns once now() has reached `when`; the wall clock may step meanwhile. Can be cancelled.
  virtual boost::asio::awaitable<void> sleep_until(instant when) = 0;
  /// Returns after `length` of steady time; steps of the wall clock have no effect. Can be cancelled.
  virtual boost::asio::awaitable<void> sleep_for(duration length) = 0;
  /// Steady time since some start: grows evenly, whatever the wall clock does. For comparisons within this process only.
  virtual duration steady() const = 0;
};

}  // namespace kopiur
