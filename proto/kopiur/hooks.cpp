#include "proto/kopiur/hooks.hpp"

#include "proto/kopiur/hook_headers.hpp"
#include "proto/kopiur/longest.hpp"
#include "proto/schema/notes.hpp"

/// Schema notes for hooks.hpp.
namespace kopiur::proto {

constexpr std::string_view hook_timeout_text =
    "Time after which the hook counts as failed; at most 1h. Let what takes longer go on in the background.";
constexpr auto hook_timeout = schema::up_to(std::chrono::duration_cast<std::chrono::hours>(longest_hook_timeout));

schema::type_notes notes_of(std::type_identity<workload_exec_hook>) {
  return {.text = "Runs a command in a pod of the workload.",
          .fields = {{"podSelector", "Labels of the pod; the first running pod that matches is used."},
                     {"container", "Container of the pod. Default: the first.", schema::namespace_name},
                     {"command", "The command and its arguments; no shell unless you name one.", {}, {.max_length = 4096}, 1, 64},
                     {"timeout", hook_timeout_text, hook_timeout}}};
}
schema::type_notes notes_of(std::type_identity<run_job_hook>) {
  return {
      .text = "Runs a Job that you define.",
      .fields = {{"jobSpec", "Spec of the Job, as in batch/v1; env may use secretKeyRef."}, {"timeout", hook_timeout_text, hook_timeout}}};
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
                      "Value of the header; everyone who can read this object can read it.",
                      {.max_length = 4096, .pattern = R"(^[^\r\n]*$)", .pattern_says = "one line"}},
                     {"valueFrom", "Where the value comes from, for a value that must stay secret."}},
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
                      "URL of the request, without user and password. In a cluster, it must be one of these: a Service of this namespace "
                      "that selects pods; a public address; a target in global.hooks.httpAllow of kopiur's chart.",
                      {.min_length = 1,
                       .max_length = 2048,
                       .pattern = R"(^https?://[^/@ ?]+([/?][^ \n]*)?$)",
                       .pattern_says = "an http or https URL without user and password"}},
                     {"method", "The HTTP method."},
                     {"headers", "Headers to send.", {}, {}, {}, 32, "name"},
                     {"body", "Body to send, unchanged.", {.max_length = 65536}},
                     {"timeout", hook_timeout_text, hook_timeout}}};
}
schema::type_notes notes_of(std::type_identity<hook>) {
  return {.text = "One action: exactly one of workloadExec, runJob, httpRequest.",
          .fields = {{"continueOnFailure", "Take the snapshot even if this hook fails."}}};
}
schema::type_notes notes_of(std::type_identity<hook_lists>) {
  return {.text =
              "Actions before and after the snapshot, in order. They run once for all sources of a slot, or of one Backup with several "
              "sources. The sources wait for each other, for at most one minute after the first is ready. The Backup of a source that is "
              "ready later fails as MissedOccasion.",
          .fields = {{"beforeSnapshot", "Run before the first snapshot is taken.", {}, {}, {}, 20},
                     {"afterSnapshot",
                      "Run as soon as every source was copied or, without copies, when the last source was read. They run even if a "
                      "snapshot failed, so that the application always leaves backup mode.",
                      {},
                      {},
                      {},
                      20},
                     {"quiesceTimeoutSeconds",
                      "Maximum number of seconds from the first hook before the snapshot to the hooks after it. When they have passed, the "
                      "hooks after the snapshot run, and a Backup that is not done fails. Default: 300 if a copy of the source is read; "
                      "with copyMethod Direct, as long as the Backup may take.",
                      schema::seconds(1, longest::quiesce)}}};
}

}  // namespace kopiur::proto
