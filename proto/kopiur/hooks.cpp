#include "proto/kopiur/hooks.hpp"

#include "proto/kopiur/hook_headers.hpp"
#include "proto/schema/notes.hpp"

/// Schema notes for hooks.hpp.
namespace kopiur::proto {

constexpr std::string_view hook_timeout_text = "How long it may take before it counts as failed: 1h at most.";

namespace {

/// CEL durations have no days, so a text with days is refused in CEL and in C++.
schema::rule hook_timeout_rule() {
  return {.cel = "!self.timeout.contains('d') && duration(self.timeout) <= duration('1h')",
          .message = "A hook may take 1h at most.",
          .hint = "Give a shorter timeout, without days; let what takes longer go on in the background.",
          .field = "timeout",
          .holds = [](json::value const& self) {
            auto length = duration_from(self.text("timeout"));
            return self.text("timeout").find('d') == std::string_view::npos && length && *length <= longest_hook_timeout;
          }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<workload_exec_hook>) {
  return {.text = "Runs a command in the workload's own pod.",
          .fields = {{"podSelector", "Which pod: the first running one that matches."},
                     {"container", "Container of the pod; absent: its first.", schema::namespace_name},
                     {"command", "The command and its arguments; no shell unless you name one.", {}, {.max_length = 4096}, 1, 64},
                     {"timeout", hook_timeout_text}},
          .rules = {hook_timeout_rule()}};
}
schema::type_notes notes_of(std::type_identity<run_job_hook>) {
  return {.text = "Runs a Job of yours.",
          .fields = {{"jobSpec", "The Job, as batch/v1 has its spec; env takes secretKeyRef as usual."}, {"timeout", hook_timeout_text}},
          .rules = {hook_timeout_rule()}};
}
schema::type_notes notes_of(std::type_identity<required_secret_key>) {
  return {.text = "One key of a Secret of this namespace.",
          .fields = {{"name", "Name of the Secret.", schema::secret_name}, {"key", "Key in the Secret.", schema::secret_key}}};
}
schema::type_notes notes_of(std::type_identity<value_source>) {
  return {.text = "Where a value comes from.", .fields = {{"secretKeyRef", "The value is this key of a Secret."}}};
}
namespace {

schema::rule connection_header_rule() {
  std::string names;
  for (auto each : connection_headers) names += (names.empty() ? "'" : ", '") + std::string(each) + "'";
  return {.cel = "!(self.name.lowerAscii() in [" + names + "] || self.name.lowerAscii().startsWith('proxy-'))",
          .message = "The header belongs to the connection, and kopiur writes it.",
          .hint = "Remove it.",
          .field = "name",
          .holds = [](json::value const& self) { return !is_connection_header(self.text("name")); }};
}

}  // namespace

schema::type_notes notes_of(std::type_identity<hook_header>) {
  return {.text = "One header of a request.",
          .fields = {{"name",
                      "Name of the header.",
                      {.min_length = 1,
                       .max_length = 128,
                       .pattern = R"(^[A-Za-z0-9!#$%&'*+.^_|~-]+$)",
                       .pattern_says = "the name of an HTTP header"}},
                     {"value",
                      "Its value, in plain sight of everybody who may read this object.",
                      {.max_length = 4096, .pattern = R"(^[^\r\n]*$)", .pattern_says = "one line"}},
                     {"valueFrom", "Where its value comes from, for what must stay secret."}},
          .rules = {{.cel = "has(self.value) != has(self.valueFrom)",
                     .message = "A header has exactly one of value and valueFrom.",
                     .hint = "Keep one of them.",
                     .holds = [](json::value const& self) { return schema::has(self, "value") != schema::has(self, "valueFrom"); }},
                    {.cel = "!(self.name.lowerAscii() == 'authorization' && has(self.value))",
                     .message = "A credential would stand in the object for all to read.",
                     .hint = "Put the value into a Secret and use valueFrom.secretKeyRef.",
                     .field = "value",
                     .holds =
                         [](json::value const& self) {
                           return !(schema::has(self, "value") && lower_case(self.text("name")) == "authorization");
                         }},
                    connection_header_rule()}};
}
schema::type_notes notes_of(std::type_identity<http_request_hook>) {
  return {.text = "Sends an HTTP request; any 2xx answer is success.",
          .fields = {{"url",
                      "Where it goes: in a cluster to a Service of this namespace that selects pods, to a public address, or to what "
                      "global.hooks.httpAllow of kopiur's chart names. User and password may not stand in it.",
                      {.min_length = 1,
                       .max_length = 2048,
                       .pattern = R"(^https?://[^/@ ?]+([/?][^ \n]*)?$)",
                       .pattern_says = "an http or https URL without user and password"}},
                     {"method", "The HTTP method."},
                     {"headers", "Headers to send.", {}, {}, {}, 32, "name"},
                     {"body", "Body to send, as it is.", {.max_length = 65536}},
                     {"timeout", hook_timeout_text}},
          .rules = {hook_timeout_rule()}};
}
schema::type_notes notes_of(std::type_identity<hook>) {
  return {.text = "One thing to do: exactly one of workloadExec, runJob, httpRequest.",
          .fields = {{"continueOnFailure", "Take the snapshot although this hook failed."}}};
}
schema::type_notes notes_of(std::type_identity<hook_lists>) {
  return {
      .text =
          "What is done around the snapshot, in order: once for all sources of a slot, or of one Backup of several sources. They wait "
          "for each other until all are ready, and for a minute at most once one is; who comes later fails as MissedOccasion.",
      .fields = {{"beforeSnapshot", "Done before the first snapshot is taken.", {}, {}, {}, 20},
                 {"afterSnapshot",
                  "Done as soon as a copy of every source is made, else when the last was read; also when a snapshot failed: what was put "
                  "into backup mode must come out of it.",
                  {},
                  {},
                  {},
                  20},
                 {"quiesceTimeoutSeconds",
                  "At most so many seconds pass from the first hook before the snapshot to those after it; then these run, and a Backup "
                  "that is not done by then fails. Absent: 300 where a copy of the source is read; where the source is read itself "
                  "(copyMethod Direct), as long as "
                  "the Backup may take.",
                  {.min = 1, .max = 172800}}}};
}

}  // namespace kopiur::proto
