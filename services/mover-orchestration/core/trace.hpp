#pragma once
#include "proto/events/run.hpp"

namespace kopiur::mover_orchestration {

/// An ended run as an OTLP export request (JSON form of opentelemetry.proto.collector.trace.v1, OTLP 1.x): one trace per run, with a span
/// for the whole run and one for each part. The ids are those of the run's `traceparent`. Nothing for a run that is not over.
std::optional<json::value> trace_of(proto::run_state const& run, std::string_view trace_id, std::string_view root_span_id);

}  // namespace kopiur::mover_orchestration
