#pragma once
#include <string>
#include <string_view>

#include "common/bus/port.hpp"

namespace kopiur::proto {

/// CloudEvents 1.0 attributes as headers (`ce-*`): who published what, when. `source` is the service; `id` is unique within it.
bus::headers envelope(std::string_view type, std::string_view source, std::string_view id, instant time);

/// W3C trace context of a run: its facts and the commands sent for it belong to one trace. The trace id is derived from the run id.
bus::headers::value_type traceparent(std::string_view run);
/// The ids in it: 32 hex digits for the trace, 16 for the root span, which is the run itself.
std::string trace_id(std::string_view run);
std::string root_span_id(std::string_view run);

/// Header of a lease fact: the run that it concerns, as named in its event.
inline constexpr char const* subject_run = "kopiur-run";
/// Header of a run's fact: the sequence up to which its writer had read the stream `resources`.
inline constexpr char const* objects_seen = "kopiur-objects-seen";

/// Header of a run's fact that only replaces larger ones that said the same: no trigger.
inline constexpr char const* shrunk_fact = "kopiur-shrunk";

}  // namespace kopiur::proto
