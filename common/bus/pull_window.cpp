#include "common/bus/pull_window.hpp"

#include <algorithm>

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr auto silence = 2 * wire::pull_beat;
}

void pull_window::start(steady::time_point now) {
  running_ = true;
  asked_ = 0;
  refill(now);
}

void pull_window::stop() {
  running_ = false;
  asked_ = 0;
}

void pull_window::arrived(steady::time_point now) {
  asked_ = std::max(asked_ - 1, 0);
  ++held_;
  heard_ = now;
  heard_since_ = true;
}

void pull_window::taken(steady::time_point now) {
  held_ = std::max(held_ - 1, 0);
  refill(now);
}

void pull_window::status(wire::pull_status const& told, steady::time_point now) {
  heard_ = now;
  heard_since_ = true;
  if (told.code == 100) return;
  asked_ -= std::min(asked_, told.pending.value_or(asked_));  // what that pull did not deliver
  if (told.pending) refill(now);                              // without it something is wrong: the silence timeout repeats it
}

void pull_window::nobody_there(steady::time_point now) {
  if (running_ && asked_ > 0 && !heard_since_) heard_ = std::min(heard_, now - silence + 1s);
}

bool pull_window::is_silent(steady::time_point now) const { return running_ && held_ < size_ && now - heard_ > silence; }

void pull_window::refill(steady::time_point now) {
  int more = size_ - asked_ - held_;
  if (!running_ || more <= 0 || 2 * more < size_) return;
  asked_ += more;
  heard_ = now;
  heard_since_ = false;
  ask_(more);
}

}  // namespace kopiur::bus
