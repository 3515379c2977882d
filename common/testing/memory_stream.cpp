#include "common/testing/memory_stream.hpp"

#include <algorithm>

#include "common/bus/subject.hpp"

namespace kopiur::testing {

using bus::failure;

namespace {

std::int64_t size_of(std::string const& body, bus::headers const& head) {
  auto size = body.size() + (head.empty() ? 0 : 12);
  for (auto const& [name, value] : head) size += name.size() + value.size() + 4;
  return static_cast<std::int64_t>(size);
}
constexpr std::int64_t overhead = 34;  // of a stored message

/// The headers as a server stores them: its instructions stay readable.
bus::headers headers_of(bus::publication const& from) {
  auto head = from.head;
  if (!from.id.empty()) head.emplace_back("Nats-Msg-Id", from.id);
  if (from.expected) head.emplace_back("Nats-Expected-Last-Subject-Sequence", std::to_string(*from.expected));
  if (from.ttl) head.emplace_back("Nats-TTL", to_text(duration(*from.ttl)));
  if (from.rollup) head.emplace_back("Nats-Rollup", "sub");
  return head;
}

std::string_view first_token(std::string_view& rest) {
  auto dot = rest.find('.');
  auto token = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return token;
}

/// Whether a token stands for other tokens.
bool has_wildcard(std::string_view subject) {
  while (!subject.empty())
    if (auto token = first_token(subject); token == "*" || token == ">") return true;
  return false;
}

}  // namespace

std::unexpected<bus::error> refusal(failure kind, std::string text) { return std::unexpected(bus::error{kind, std::move(text), {}}); }

bool under_any(std::vector<std::string> const& filters, std::string_view subject) {
  return filters.empty() || std::ranges::any_of(filters, [&](auto const& each) { return bus::matches(each, subject); });
}

bool overlap(std::string_view one, std::string_view other) {
  while (!one.empty() && !other.empty()) {
    auto a = first_token(one), b = first_token(other);
    if (a == ">" || b == ">") return true;
    if (a != "*" && b != "*" && a != b) return false;
  }
  return one.empty() && other.empty();
}

bool memory_stream::owns(std::string_view subject) const { return under_any(config_.subjects, subject); }

bus::result<bus::receipt> memory_stream::store(bus::publication const& what, server_time now, bool ids_first) {
  if (auto no = objection(what)) return std::unexpected(*std::move(no));
  auto before = known(what);
  if (before && ids_first) return *before;
  if (auto lost = lost_race(what)) return std::unexpected(*std::move(lost));
  if (before) return *before;
  auto head = headers_of(what);
  auto size = size_of(what.body, head) + static_cast<std::int64_t>(what.subject.size()) + overhead;
  if (auto full = no_room(what, size)) return std::unexpected(*std::move(full));

  auto sequence = ++last_sequence_;
  if (what.rollup) purge(what.subject);
  subjects_[what.subject].push_back(sequence);
  messages_.emplace(sequence, bus::stored{what.subject, what.body, std::move(head), sequence, now.wall});
  bytes_ += size;
  if (what.ttl) dying_.emplace(now.steady + *what.ttl, sequence);
  if (config_.max_age > duration::zero()) by_age_.emplace_back(now.steady, sequence);
  if (!what.id.empty()) {
    ids_.emplace(what.id, sequence);
    ids_by_age_.emplace_back(now.steady, what.id);
  }
  make_room(what);
  return bus::receipt{config_.name, sequence, false};
}

std::optional<bus::error> memory_stream::objection(bus::publication const& what) const {
  auto refuse = [&](std::string why, failure kind = failure::refused) {
    return bus::error{kind, "Stream " + config_.name + " refused " + what.subject + ": " + why, {}};
  };
  if (config_.max_message >= 0 && size_of(what.body, headers_of(what)) > config_.max_message)
    return refuse("the message is larger than " + std::to_string(config_.max_message) + " bytes.", failure::too_large);
  if (what.ttl && !config_.allow_ttl) return refuse("per-message TTL is not enabled.");
  if (what.ttl && what.ttl->count() < 1) return refuse("the TTL is below a second.");
  if (what.rollup && !config_.allow_rollup) return refuse("rollup is not permitted.");
  return {};
}

std::optional<bus::receipt> memory_stream::known(bus::publication const& what) const {
  auto found = what.id.empty() ? ids_.end() : ids_.find(what.id);
  return found == ids_.end() ? std::nullopt : std::optional(bus::receipt{config_.name, found->second, true});
}

std::optional<bus::error> memory_stream::lost_race(bus::publication const& what) const {
  if (!what.expected) return {};
  auto held = of(what.subject);
  auto actual = held ? held->back() : 0;
  if (actual == *what.expected) return {};
  auto text = "Stream " + config_.name + " has another last message on " + what.subject + ": " + std::to_string(actual) + ", not " +
              std::to_string(*what.expected) + ".";
  return bus::error{failure::wrong_sequence, std::move(text), actual};
}

std::optional<bus::error> memory_stream::no_room(bus::publication const& what, std::int64_t size) const {
  if (config_.discard != bus::stream_config::discard_policy::fresh) return {};
  auto full = [&](std::string of_what) {
    return bus::error{failure::limit, "Stream " + config_.name + " takes no more: maximum " + of_what + " exceeded.", {}};
  };
  if (config_.max_bytes >= 0 && bytes_ + size > config_.max_bytes) return full("bytes");
  auto held = of(what.subject);
  auto per_subject = config_.discard_new_per_subject && config_.max_per_subject > 0 && !what.rollup;
  if (per_subject && held && static_cast<std::int64_t>(held->size()) >= config_.max_per_subject) return full("messages per subject");
  return {};
}

void memory_stream::make_room(bus::publication const& what) {
  if (auto held = of(what.subject); config_.max_per_subject > 0)
    while (static_cast<std::int64_t>(held->size()) > config_.max_per_subject) erase(held->front());
  while (config_.max_bytes >= 0 && bytes_ > config_.max_bytes && !messages_.empty()) erase(messages_.begin()->first);
}

std::vector<std::uint64_t> const* memory_stream::of(std::string_view subject) const {
  auto found = subjects_.find(subject);
  return found == subjects_.end() ? nullptr : &found->second;
}

bus::stored const* memory_stream::last(std::string_view filter) const {
  if (!has_wildcard(filter)) {
    auto held = of(filter);
    return held ? at(held->back()) : nullptr;
  }
  for (auto each = messages_.rbegin(); each != messages_.rend(); ++each)
    if (bus::matches(filter, each->second.subject)) return &each->second;
  return nullptr;
}

bus::stored const* memory_stream::at(std::uint64_t sequence) const {
  auto found = messages_.find(sequence);
  return found == messages_.end() ? nullptr : &found->second;
}

bool memory_stream::erase(std::uint64_t sequence) {
  auto found = messages_.find(sequence);
  if (found == messages_.end()) return false;
  auto held = subjects_.find(found->second.subject);
  std::erase(held->second, sequence);
  if (held->second.empty()) subjects_.erase(held);
  bytes_ -= size_of(found->second.body, found->second.head) + static_cast<std::int64_t>(found->second.subject.size()) + overhead;
  messages_.erase(found);
  return true;
}

std::size_t memory_stream::purge(std::string_view filter) {
  std::vector<std::uint64_t> doomed;
  if (auto held = has_wildcard(filter) ? nullptr : of(filter))
    doomed = *held;
  else if (has_wildcard(filter))
    for (auto const& [sequence, message] : messages_)
      if (bus::matches(filter, message.subject)) doomed.push_back(sequence);
  for (auto each : doomed) erase(each);
  return doomed.size();
}

void memory_stream::expire(instant steady) {
  for (; !dying_.empty() && dying_.begin()->first <= steady; dying_.erase(dying_.begin())) erase(dying_.begin()->second);
  for (; !by_age_.empty() && by_age_.front().first + config_.max_age <= steady; by_age_.pop_front()) erase(by_age_.front().second);
  for (; !ids_by_age_.empty() && ids_by_age_.front().first + config_.duplicates <= steady; ids_by_age_.pop_front())
    ids_.erase(ids_by_age_.front().second);
}

std::vector<std::uint64_t> memory_stream::last_of_each(std::vector<std::string> const& filters) const {
  std::vector<std::uint64_t> found;
  for (auto const& [subject, held] : subjects_)
    if (under_any(filters, subject)) found.push_back(held.back());
  std::ranges::sort(found);
  return found;
}

bus::stored const* memory_stream::first_after(std::uint64_t sequence, std::vector<std::string> const& filters) const {
  for (auto next = messages_.upper_bound(sequence); next != messages_.end(); ++next)
    if (under_any(filters, next->second.subject)) return &next->second;
  return nullptr;
}

bus::stream_info memory_stream::info() const {
  auto first = messages_.empty() ? last_sequence_ + 1 : messages_.begin()->first;
  return {created_, first, last_sequence_, messages_.size()};
}

}  // namespace kopiur::testing
