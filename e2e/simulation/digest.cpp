#include "e2e/simulation/digest.hpp"

#include <set>

namespace kopiur::simulation {

namespace {

void append(std::string& target, json::value const& object, std::string_view path) {
  auto* found = object.at(path);
  target += '|' + (found ? json::dump(*found) : std::string());
}

std::set<std::string> conditions_of(json::value const& object) {
  std::set<std::string> all;
  auto* conditions = object.at("status.conditions");
  if (!conditions || !conditions->as_array()) return all;
  for (auto& each : *conditions->as_array())
    all.insert(std::string(each.text("type")) + "=" + std::string(each.text("status")) + ":" + std::string(each.text("reason")));
  return all;
}

}  // namespace

void digest::mix(std::string_view bytes) {
  constexpr std::uint64_t prime = 0x100000001b3u;
  for (char each : bytes) value_ = (value_ ^ static_cast<unsigned char>(each)) * prime;
  value_ = (value_ ^ 0xffu) * prime;  // separates the parts
}

void digest::add(instant time, std::initializer_list<std::string_view> what) {
  mix(std::to_string(time.time_since_epoch().count()));
  for (auto each : what) mix(each);
}

std::string facts_of(json::value const& object) {
  std::string facts;
  for (auto* path : {"metadata.generation", "metadata.deletionTimestamp", "metadata.finalizers", "metadata.labels", "status.phase",
                     "status.job", "status.snapshot", "status.failure.class", "status.lastSchedule", "status.nextSchedule"})
    append(facts, object, path);
  for (auto& each : conditions_of(object)) facts += '|' + each;
  return facts;
}

}  // namespace kopiur::simulation
