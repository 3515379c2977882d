#include "common/bus/wire_config.hpp"

#include <algorithm>

#include "common/bus/wire.hpp"

namespace kopiur::bus::wire {

namespace {

std::int64_t ns(duration length) { return length.count() * nanoseconds_a_millisecond; }

json::value list(std::vector<std::string> const& items) {
  auto made = json::value::make_array();
  for (auto const& one : items) made.push(one);
  return made;
}

char const* text(stream_config::retention_policy policy) {
  switch (policy) {
    case stream_config::retention_policy::limits:
      return "limits";
    case stream_config::retention_policy::workqueue:
      return "workqueue";
  }
  return "";
}

char const* text(stream_config::discard_policy policy) {
  switch (policy) {
    case stream_config::discard_policy::old:
      return "old";
    case stream_config::discard_policy::fresh:
      return "new";
  }
  return "";
}

/// One filter and several filters are two fields. `last_per_subject` does not accept an empty list, so "all" is spelled out.
void set_filters(json::value& config, std::vector<std::string> const& filters) {
  if (filters.size() == 1) config.set("filter_subject", filters.front());
  if (filters.size() > 1) config.set("filter_subjects", list(filters));
}

/// Values that a server leaves out, such as false and zero.
bool is_nothing(json::value const& one) {
  if (one.is_null()) return true;
  if (auto* flag = one.as_bool()) return !*flag;
  if (auto* whole = one.as_int()) return *whole == 0;
  if (auto* items = one.as_array()) return items->empty();
  return one.as_string() && one.as_string()->empty();
}

std::uint64_t count_at(json::value const& state, std::string_view name) {
  auto* found = state.find(name);
  return found && found->as_int() ? static_cast<std::uint64_t>(std::max<std::int64_t>(*found->as_int(), 0)) : 0;
}

}  // namespace

json::value stream_body(stream_config const& from) {
  auto window = from.max_age > duration::zero() ? std::min(from.duplicates, from.max_age) : from.duplicates;
  auto config = json::value::make_object();
  config.set("name", from.name);
  config.set("subjects", list(from.subjects));
  config.set("retention", text(from.retention));
  config.set("discard", text(from.discard));
  config.set("max_msgs_per_subject", from.max_per_subject);
  config.set("discard_new_per_subject", from.discard_new_per_subject);
  config.set("max_age", ns(from.max_age));
  config.set("max_bytes", from.max_bytes);
  config.set("max_msg_size", from.max_message);
  config.set("duplicate_window", ns(window));
  config.set("allow_msg_ttl", from.allow_ttl);
  config.set("allow_rollup_hdrs", from.allow_rollup);
  config.set("storage", from.memory ? "memory" : "file");
  config.set("num_replicas", from.replicas);
  return config;
}

json::value consumer_body(consumer_config const& from) {
  auto config = json::value::make_object();
  config.set("name", from.name);
  config.set("durable_name", from.name);
  config.set("deliver_policy", "all");
  config.set("ack_policy", "explicit");
  config.set("replay_policy", "instant");
  config.set("max_ack_pending", from.max_ack_pending);
  config.set("max_deliver", from.max_deliver);
  config.set("headers_only", from.headers_only);
  set_filters(config, from.filters);
  if (from.backoff.empty()) return config;
  auto waits = json::value::make_array();
  for (auto wait : from.backoff) waits.push(ns(wait));
  config.set("ack_wait", ns(from.backoff.front()));  // the server stores the first backoff there: sent like this, the echo is equal
  config.set("backoff", std::move(waits));
  return config;
}

json::value feed_body(std::string_view name, std::vector<std::string> const& filters) {
  auto config = json::value::make_object();
  config.set("name", name);
  config.set("deliver_policy", "last_per_subject");
  config.set("ack_policy", "none");
  config.set("replay_policy", "instant");
  config.set("mem_storage", true);
  config.set("num_replicas", 1);
  config.set("inactive_threshold", ns(std::chrono::minutes(1)));
  set_filters(config, filters);
  return config;
}

std::string consumer_request(std::string_view stream, json::value config, std::string_view action) {
  auto body = json::value::make_object();
  body.set("stream_name", stream);
  body.set("config", std::move(config));
  body.set("action", action);
  return dump(body);
}

std::vector<std::string> differences(json::value const& asked, json::value const& echoed) {
  std::vector<std::string> out;
  for (auto const& [name, wanted] : *asked.as_object()) {
    auto* got = echoed.find(name);
    if (got ? *got == wanted : is_nothing(wanted)) continue;
    out.push_back(name + ": asked " + dump(wanted) + ", got " + (got ? dump(*got) : "nothing"));
  }
  return out;
}

stream_info read_info(json::value const& answer) {
  stream_info out{.created = std::string(answer.text("created"))};
  if (auto* state = answer.find("state")) {
    out.first_sequence = count_at(*state, "first_seq");
    out.last_sequence = count_at(*state, "last_seq");
    out.messages = count_at(*state, "messages");
  }
  return out;
}

stream_size read_size(json::value const& answer) {
  stream_size out;
  if (auto* state = answer.find("state")) out.bytes = count_at(*state, "bytes");
  auto* config = answer.find("config");
  auto* budget = config ? config->find("max_bytes") : nullptr;
  if (budget && budget->as_int()) out.budget = *budget->as_int();
  return out;
}

consumer_state read_consumer(json::value const& answer) {
  consumer_state out{.pending = count_at(answer, "num_pending") + count_at(answer, "num_ack_pending"),
                     .awaited = count_at(answer, "num_waiting") > 0};
  if (auto* delivered = answer.find("delivered")) out.last_active = instant_from(delivered->text("last_active"));
  return out;
}

}  // namespace kopiur::bus::wire
