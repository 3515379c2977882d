#include "services/mover-orchestration/core/trace.hpp"

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

json::value attribute(std::string_view key, std::string_view text) {
  return json::object{{"key", key}, {"value", json::object{{"stringValue", text}}}};
}

std::string nanoseconds(instant time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

struct span {
  std::string name, id, parent;
  instant from{}, until{};
};

json::value encoded(span const& one, std::string_view trace, json::array attributes, bool failed) {
  json::value out = json::object{{"traceId", trace}, {"spanId", one.id}, {"name", one.name}, {"kind", 1}};
  if (!one.parent.empty()) out.set("parentSpanId", one.parent);
  out.set("startTimeUnixNano", nanoseconds(one.from));
  out.set("endTimeUnixNano", nanoseconds(one.until));
  out.set("attributes", std::move(attributes));
  out.set("status", json::object{{"code", failed ? 2 : 1}});  // STATUS_CODE_ERROR, STATUS_CODE_OK
  return out;
}

}  // namespace

std::optional<json::value> trace_of(run_state const& run, std::string_view trace, std::string_view root) {
  if (run.stage != run_stage::FollowThroughComplete || !run.finished_at || !run.outcome) return {};
  bool failed = *run.outcome != run_outcome::Succeeded && *run.outcome != run_outcome::Unchanged;
  auto part = [&](char const* name, instant from, instant end) {
    return span{name, hash::digest_hex({root, name}, 16), std::string(root), from, end};
  };
  json::array about{attribute("kopiur.run", run.run), attribute("kopiur.object.kind", run.order.object.kind),
                    attribute("kopiur.object.namespace", run.order.object.namespace_),
                    attribute("kopiur.object.name", run.order.object.name), attribute("kopiur.outcome", json::to_text(*run.outcome))};
  if (run.failure) about.push_back(attribute("kopiur.failure.class", run.failure->class_.json_text()));
  json::array spans{encoded({run.order.plan, std::string(root), {}, run.ordered_at, *run.finished_at}, trace, std::move(about), failed)};
  if (run.prepared_at) {
    spans.push_back(encoded(part("prepare", run.ordered_at, *run.prepared_at), trace, {}, false));
    spans.push_back(encoded(part("acquire", *run.prepared_at, run.started_at.value_or(*run.finished_at)), trace, {}, false));
  }
  if (run.started_at) spans.push_back(encoded(part("execute", *run.started_at, *run.finished_at), trace, {}, failed));
  json::value resource =
      json::object{{"attributes", json::array{attribute("service.name", "kopiur"), attribute("kopiur.cluster", run.cluster)}}};
  json::value scope = json::object{{"scope", json::object{{"name", "kopiur"}}}, {"spans", std::move(spans)}};
  json::value traced = json::object{{"resource", std::move(resource)}, {"scopeSpans", json::array{std::move(scope)}}};
  return json::value(json::object{{"resourceSpans", json::array{std::move(traced)}}});
}

}  // namespace kopiur::mover_orchestration
