#include "common/bus/pending.hpp"

#include <algorithm>

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr auto a_little = 250ms;
constexpr std::uint64_t life = 1u << 24;  // token = place, counted from 1, plus this for each failed request at that place
}  // namespace

pending_requests::ticket pending_requests::next() const { return {free_.empty() ? requests_.size() + 1 : free_.back(), generation_ + 1}; }

pending_requests::ticket pending_requests::add(handler done, std::string const& subject, std::size_t bytes, steady::time_point deadline) {
  auto who = next();
  if (free_.empty())
    requests_.emplace_back();
  else
    free_.pop_back();
  ++generation_;
  bytes_ += bytes;
  auto& here = requests_[who.token % life - 1];
  here.who = who;
  here.done.swap(done);
  here.deadline = deadline;
  here.subject = &subject;
  here.bytes = bytes;
  here.nobody_there = false;
  return who;
}

pending_requests::request* pending_requests::find(std::uint64_t token) {
  auto index = token % life;
  if (index == 0 || index > requests_.size()) return nullptr;
  auto& found = requests_[index - 1];
  return found.done && found.who.token == token ? &found : nullptr;
}

pending_requests::handler pending_requests::vacate(request& from) {
  bytes_ -= from.bytes;
  free_.push_back(from.who.token);
  handler done;
  done.swap(from.done);  // Boost 1.81's assignment would wrap it once more
  return done;
}

void pending_requests::answer(std::uint64_t token, message message) {
  if (auto* found = find(token)) vacate (*found)(reply(std::move(message)));
}

void pending_requests::fail(ticket who, error why) {
  auto* found = find(who.token);
  if (!found || found->who.turn != who.turn) return;
  found->who.token += life;
  vacate (*found)(std::unexpected(std::move(why)));
}

std::vector<pending_requests::ticket> pending_requests::waiting(auto which) const {
  std::vector<ticket> found;
  for (auto const& each : requests_)
    if (each.done && which(each)) found.push_back(each.who);
  std::ranges::sort(found, {}, &ticket::turn);
  return found;
}

void pending_requests::fail_all(error const& why) {
  for (auto who : waiting([](request const&) { return true; })) fail(who, why);
}

void pending_requests::sweep(steady::time_point now, duration limit) {
  for (auto who : waiting([now](request const& each) { return each.deadline <= now; })) {
    auto const* late = find(who.token);
    if (!late) continue;
    fail(who, late->nobody_there ? error{failure::no_responders, "nobody answers at " + *late->subject, {}}
                                 : error{failure::timed_out, "no answer from " + *late->subject + " within " + to_text(limit), {}});
  }
}

void pending_requests::nobody_there(steady::time_point now) {
  for (auto& each : requests_) {
    each.deadline = std::min(each.deadline, now + a_little);
    each.nobody_there = true;
  }
}

std::vector<pending_requests::ticket> pending_requests::of(std::string_view subject) const {
  return waiting([subject](request const& each) { return *each.subject == subject; });
}

}  // namespace kopiur::bus
