#include "proto/envelope.hpp"

#include "common/hash/stable_hash.hpp"

namespace kopiur::proto {

bus::headers envelope(std::string_view type, std::string_view source, std::string_view id, instant time) {
  return {{"ce-specversion", "1.0"},      {"ce-id", std::string(id)}, {"ce-source", "/kopiur/" + std::string(source)},
          {"ce-type", std::string(type)}, {"ce-time", to_text(time)}, {"ce-datacontenttype", "application/json"}};
}

std::string trace_id(std::string_view run) { return hash::digest_hex({"trace", run}, 32); }
std::string root_span_id(std::string_view run) { return hash::digest_hex({"span", run}, 16); }

bus::headers::value_type traceparent(std::string_view run) {
  return {"traceparent", "00-" + trace_id(run) + "-" + root_span_id(run) + "-01"};
}

}  // namespace kopiur::proto
