#include "common/testing/faults.hpp"

#include <algorithm>
#include <charconv>

#include "common/testing/dice.hpp"

namespace kopiur::testing {

std::string describe(fault_id const& id) { return id.place + "#" + std::to_string(id.nth); }

std::optional<fault_id> fault_from(std::string_view text) {
  auto hash = text.rfind('#');
  if (hash == std::string_view::npos) return {};
  fault_id id{std::string(text.substr(0, hash)), 0};
  auto end = text.data() + text.size();
  auto [stopped, wrong] = std::from_chars(text.data() + hash + 1, end, id.nth);
  if (wrong != std::errc() || stopped != end) return {};
  return id;
}

std::string describe(injection const& one) {
  return describe(one.id) + " " + one.what + " at " + to_text(one.time) + ", step " + std::to_string(one.step);
}

std::string describe(violation const& seen) {
  auto text = seen.rule + ": " + seen.text + "\n  seed " + std::to_string(seen.seed) + ", order " + std::to_string(seen.order) + ", step " +
              std::to_string(seen.step) + ", " + to_text(seen.time) + "\n  faults before it: " + std::to_string(seen.faults.size()) + "\n";
  for (auto const& each : seen.faults) text += "    " + describe(each) + "\n";
  return text + "  last notes:\n" + seen.trace;
}

site::site(std::string name, std::uint64_t seed) : name_(std::move(name)), salt_(mixed(seed, mixed(name_))) {}

site& fault_ledger::place(std::string_view name) {
  if (auto known = places_.find(name); known != places_.end()) return known->second;
  return places_.emplace(std::string(name), site(std::string(name), seed_)).first->second;
}

std::optional<fault_ledger::blow> fault_ledger::draw(site& where, std::span<chance const> chances, moment now) {
  auto nth = ++where.drawn_;
  auto roll = mixed(where.salt_, nth);
  auto left = unit(roll);
  for (std::size_t which = 0; which < chances.size(); ++which) {
    if (left < chances[which].probability) {
      if (!permits({where.name_, nth}, chances[which].what, now)) return {};
      return blow{which, mixed(roll, nth)};
    }
    left -= chances[which].probability;
  }
  return {};
}

std::size_t fault_ledger::order(ordered_fault one) {
  orders_.emplace_back(std::move(one));
  return orders_.size() - 1;
}

std::optional<fault_ledger::blow> fault_ledger::ordered(site& where, std::string_view who, std::string_view verb, std::string_view subject,
                                                        std::span<chance const> chances, moment now) {
  for (auto& one : orders_) {
    if (!one || !who.starts_with(one->who) || verb != one->verb || !subject.contains(one->subject)) continue;
    auto which = std::ranges::find(chances, std::string_view(one->what), &chance::what);
    if (which == chances.end()) continue;
    one.reset();
    auto id = next(where);
    if (!permits(id, which->what, now)) return {};
    return blow{static_cast<std::size_t>(which - chances.begin()), mixed(where.salt_, id.nth)};
  }
  return {};
}

fault_id fault_ledger::next(site& where) { return {where.name_, ++where.drawn_}; }

bool fault_ledger::permits(fault_id const& id, char const* what, moment now) {
  if (allowed_ && !allowed_->contains(id)) return false;
  struck_.push_back({id, what, now.time, now.step});
  ++counts_[what];
  return true;
}

}  // namespace kopiur::testing
