#include "services/systems/kopiur/rules/slot_names.hpp"

#include "common/hash/stable_hash.hpp"

namespace kopiur::rules {

namespace {

constexpr std::size_t longest = 63, kept = 54;

/// `20261121-0600`; seconds are appended unless they are 0.
std::string compact(instant slot) {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(slot));  // 2026-11-21T06:00:00Z
  auto seconds = text.substr(17, 2);
  return text.substr(0, 4) + text.substr(5, 2) + text.substr(8, 2) + "-" + text.substr(11, 2) + text.substr(14, 2) +
         (seconds == "00" ? "" : seconds);
}

/// Kubernetes requires that each label between dots ends with a letter or digit.
std::string head_of(std::string_view name) {
  std::string head(name.substr(0, kept));
  while (!head.empty() && (head.back() == '-' || head.back() == '.')) head.pop_back();
  return head;
}

/// Shortens a name to at most 63 characters.
std::string fit(std::string name) {
  if (name.size() <= longest) return name;
  return head_of(name) + "-" + hash::digest_hex({"name", name}, 8);
}

}  // namespace

std::string backup_name(std::string_view schedule, instant slot, std::string_view source) {
  return fit(std::string(schedule) + "-" + compact(slot) + "-" + hash::digest_hex({"source", source}, 6));
}

std::string backup_name_beginning(std::string_view schedule) {
  return schedule.size() < kept ? std::string(schedule) + "-" : head_of(schedule);
}

std::string group_name(std::string_view schedule, instant slot) { return fit(std::string(schedule) + "-" + compact(slot)); }

}  // namespace kopiur::rules
