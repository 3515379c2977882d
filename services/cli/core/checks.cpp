#include "services/cli/core/checks.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"
#include "proto/budget.hpp"
#include "services/cli/core/formatting.hpp"

namespace kopiur::cli {

check streams_check(std::size_t all, std::vector<std::string> const& missing) {
  if (missing.empty()) return {"bus", mood::good, "all " + std::to_string(all) + " streams are there"};
  return {"bus", mood::bad, "Streams are missing: " + encoding::join(missing) + ". Make them with: kopiur bus apply"};
}

check budget_check(std::vector<used_stream> streams) {
  constexpr auto what = "bytes of the bus";
  auto fullest = std::ranges::max_element(streams, {}, &used_stream::percent);
  if (fullest == streams.end()) return {what, mood::attention, "Its streams have no bounds. Set them with: kopiur bus apply"};
  auto text = fullest->name + ", its fullest stream, has used " + std::to_string(fullest->percent) + " % of its bytes";
  if (fullest->percent < proto::worth_telling) return {what, mood::good, text};
  auto remedy = ". Give the bus more (nats.storage.size of the chart, --bus-store of kopiur up)";
  if (fullest->percent < proto::full_for_new_runs) return {what, mood::attention, text + remedy + "; from 90 % on nothing new begins."};
  return {what, mood::bad, text + remedy + ": nothing new begins until then (BusFull)."};
}

check dead_letters_check(std::size_t count) {
  if (count == 0) return {"dead letters", mood::good, "none"};
  return {"dead letters", mood::attention, std::to_string(count) + ": look at them with kopiur bus dlq"};
}

std::vector<check> bad_checks(std::vector<finding> const& findings) {
  std::vector<check> found;
  for (auto& one : findings)
    if (one.mood == mood::bad) found.push_back({one.area, mood::bad, one.subject + ": " + one.text});
  return found;
}

bool any_bad(std::vector<check> const& checks) {
  return std::ranges::any_of(checks, [](auto& one) { return one.mood == mood::bad; });
}

table checks_table(std::vector<check> const& checks) {
  table out{.columns = {"", "CHECK", "FINDING"}, .rows = {}};
  for (auto& one : checks) out.rows.push_back({mood_cell(one.mood), one.what, one.text});
  return out;
}

json::value checks_json(std::vector<check> const& checks) {
  auto out = json::value::make_array();
  for (auto& one : checks) out.push(json::object{{"check", one.what}, {"mood", mood_cell(one.mood).text}, {"text", one.text}});
  return out;
}

finding disk_finding(std::string const& folder, std::int64_t free) {
  constexpr std::int64_t little = std::int64_t{1} << 30, least = std::int64_t{64} << 20;
  auto text = size_text(free) + " free";
  if (free >= little) return {mood::good, "disk", folder, text + "."};
  return {free < least ? mood::bad : mood::attention, "disk", folder,
          text + ". Make room: on a full disk the bus takes no messages, and everything waits until there is some."};
}

}  // namespace kopiur::cli
