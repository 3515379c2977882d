#include "proto/core/lease.hpp"
#include "proto/events/command.hpp"
#include "proto/events/kind_state.hpp"
#include "proto/events/request.hpp"
#include "proto/events/run.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "proto/events/watch.hpp"
#include "proto/schema/build.hpp"

/// The only list of message bodies.
namespace kopiur::proto::schema {
namespace {

template <class Body>
body_schema body(std::string_view name, std::string_view text = {}) {
  body_schema out{std::string(name), build(Body{}, purpose::Body)};
  if (!text.empty()) out.root.description = text;
  return out;
}

std::vector<body_schema> list() {
  return {
      body<kopia_task>("kopia_task"),
      body<kopia_result>("kopia_result"),
      body<output_line>("output_line", "One line of a mover's stdout."),
      body<backup_request>("backup_request"),
      body<restore_request>("restore_request"),
      body<maintenance_request>("maintenance_request"),
      body<cancel_request>("cancel_request"),
      body<request_answer>("request_answer"),
      body<run_fact>("run_fact"),
      body<lease_state>("lease_state"),
      body<lease_waiter>("lease_waiter"),
      body<lease_request>("lease_request", "A run's request to the lease service: exactly one of acquire, renew, release."),
      body<gateway_command>("gateway_command", "A service's command to the gateway: exactly one verb."),
      body<answer>("answer"),
      body<job>("job"),
      body<kind_state>("kind_state"),
      body<row_page>("row_page"),
      body<snapshot_list>("snapshot_list"),
      body<watch_log>("watch_log"),
      body<list_page>("list_page"),
      body<status_fragment>("status_fragment"),
  };
}

}  // namespace

std::vector<body_schema> const& bodies() {
  static std::vector<body_schema> const made = list();
  return made;
}

}  // namespace kopiur::proto::schema
