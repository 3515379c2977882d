#include "common/bus/pending.hpp"

#include <algorithm>

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {
constexpr auto a_little = 250ms;
}

std::uint64_t pending_requests::add(handler done, std::string const& subject, std::size_t bytes, steady::time_point deadline) {
  auto token = next();
  waiting_.push_back({deadline, std::move(done), &subject, bytes});
  bytes_ += bytes;
  return token;
}

void pending_requests::finish(std::uint64_t token, reply outcome) {
  if (token < first_ || token - first_ >= waiting_.size()) return;
  auto& found = waiting_[token - first_];
  if (!found.done) return;
  auto done = std::move(found.done);
  bytes_ -= found.bytes;
  for (; !waiting_.empty() && !waiting_.front().done; ++first_) waiting_.pop_front();
  std::move(done)(std::move(outcome));
}

void pending_requests::fail_all(error const& why) {
  for (auto const last = next(); first_ < last && !waiting_.empty();) finish(first_, std::unexpected(why));
}

void pending_requests::sweep(steady::time_point now, duration limit) {
  while (!waiting_.empty() && waiting_.front().deadline <= now) {
    auto const& late = waiting_.front();
    auto why = late.nobody_there ? error{failure::no_responders, "nobody answers at " + *late.subject, {}}
                                 : error{failure::timed_out, "no answer from " + *late.subject + " within " + to_text(limit), {}};
    finish(first_, std::unexpected(std::move(why)));
  }
}

void pending_requests::nobody_there(steady::time_point now) {
  for (auto& each : waiting_) {
    each.deadline = std::min(each.deadline, now + a_little);
    each.nobody_there = true;
  }
}

std::vector<std::uint64_t> pending_requests::of(std::string_view subject) const {
  std::vector<std::uint64_t> found;
  for (std::size_t i = 0; i < waiting_.size(); ++i)
    if (waiting_[i].done && *waiting_[i].subject == subject) found.push_back(first_ + i);
  return found;
}

}  // namespace kopiur::bus
