#pragma once
#include <chrono>
#include <variant>

#include "proto/core/metadata.hpp"
#include "proto/describe.hpp"

/// What runs around a snapshot (spec/kopiur.md, Hooks). Each hook is exactly one action.
namespace kopiur::proto {

inline constexpr duration default_hook_timeout = std::chrono::minutes(5);
/// Upper bound of a hook's timeout. An object stored before this limit keeps a larger value; its hooks run with this bound.
inline constexpr duration longest_hook_timeout = std::chrono::hours(1);

/// A command in the workload's pod, never in the mover.
struct workload_exec_hook {
  static constexpr std::string_view member = "workloadExec";
  label_selector pod_selector;
  std::optional<std::string> container;  ///< absent: the pod's first
  std::vector<std::string> command;
  duration timeout = default_hook_timeout;
};
KOPIUR_DESCRIBE_NOTED(workload_exec_hook, (), (pod_selector, container, command, timeout))

/// A user's Job; `job_spec` is passed through as a batch/v1 JobSpec.
struct run_job_hook {
  static constexpr std::string_view member = "runJob";
  json::value job_spec;
  duration timeout = default_hook_timeout;
};
KOPIUR_DESCRIBE_NOTED(run_job_hook, (), (job_spec, timeout))

enum class http_method { GET, HEAD, POST, PUT, PATCH, DELETE };
BOOST_DESCRIBE_ENUM(http_method, GET, HEAD, POST, PUT, PATCH, DELETE)

struct required_secret_key {
  std::string name, key;
};
KOPIUR_DESCRIBE_NOTED(required_secret_key, (), (name, key))
struct value_source {
  required_secret_key secret_key_ref;
};
KOPIUR_DESCRIBE_NOTED(value_source, (), (secret_key_ref))

/// Exactly one of `value` and `value_from`; a literal Authorization header is refused.
struct hook_header {
  std::string name;
  std::optional<std::string> value;
  std::optional<value_source> value_from;
};
KOPIUR_DESCRIBE_NOTED(hook_header, (), (name, value, value_from))

struct http_request_hook {
  static constexpr std::string_view member = "httpRequest";
  std::string url;
  http_method method = http_method::POST;
  std::vector<hook_header> headers;
  std::optional<std::string> body;
  duration timeout = default_hook_timeout;
};
KOPIUR_DESCRIBE_NOTED(http_request_hook, (), (url, method, headers, body, timeout))

using hook_action = std::variant<workload_exec_hook, run_job_hook, http_request_hook>;

struct hook {
  static constexpr std::string_view inlined = "action";
  hook_action action;
  bool continue_on_failure = false;  ///< false: a failing hook aborts the backup
};
KOPIUR_DESCRIBE_NOTED(hook, (), (action, continue_on_failure))

/// Hooks run in order. After-hooks also run when the snapshot failed. They run as soon as a copy of the source exists; without a copy, when
/// all of it was read.
struct hook_lists {
  std::vector<hook> before_snapshot, after_snapshot;
  /// Upper bound from the first before-hook to the after-hooks, in seconds. When it expires the after-hooks run and the Backup fails.
  /// Absent: 300 if a copy is read, else the Backup's own deadline.
  std::optional<std::int64_t> quiesce_timeout_seconds;
};
KOPIUR_DESCRIBE_NOTED(hook_lists, (), (before_snapshot, after_snapshot, quiesce_timeout_seconds))

}  // namespace kopiur::proto
