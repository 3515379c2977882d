#pragma once
#include <map>
#include <set>
#include <string>

#include "common/app/timer_queue.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/mover-orchestration/core/dispatch.hpp"
#include "services/mover-orchestration/core/new_grants.hpp"
#include "services/mover-orchestration/shell/lists.hpp"
#include "services/mover-orchestration/shell/trace_export.hpp"
#include "services/mover-orchestration/shell/watch.hpp"

namespace kopiur::mover_orchestration {

struct options {
  std::string cluster = "local";
  controller::capabilities can;
  std::string traces;  ///< OTLP endpoint (OTEL_EXPORTER_OTLP_ENDPOINT), such as http://collector:4318; empty: none are sent
  controller::process_shared shared = {};
};

/// Takes runs from due to done: observes runs, objects, leases and answers, calls the engine, writes the fact, and sends the requests. Any
/// number of replicas: durable consumers share the triggers, facts are compare-and-set, and requests have deterministic names.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

  void measure(metrics::registry& into) const override;

 private:
  task work() override;
  task follow_triggers(std::string stream, std::string durable, bus::view* caught_by);
  std::optional<std::string> unreadable(bus::stored const& message) const;
  task take(bus::delivery const& trigger);
  std::set<std::string> concerned_by(bus::stored const& change);
  task ring();
  task look_for_snapshots();
  task keep_watch();
  std::optional<proto::object_ref> waits_for_users() const;
  task resync();
  task resync_objects();
  task release_others();
  task reconcile_served(std::string run);
  task drive_concerned(std::string run);
  task report_again(proto::object_ref object);

  task affected_by(proto::object_ref const& object);
  std::set<std::string> runs_of(proto::object_ref const& object) const;
  std::set<std::string> unblocked_by(proto::object_ref const& object) const;
  bool shows_status_to_others(std::string const& run) const;
  task drive(std::string run);
  task drive_once(std::string const& run);
  task reconcile_object(proto::object_ref object);
  void count(proto::run_event const& event, proto::run_state const& run);
  void reconcile_soon(proto::object_ref const& object);
  task order(new_run const& one);
  task publish_asks(std::vector<ask> asks, std::string run);
  task publish_request(proto::lease_request request);
  bool asked_lately(std::string const& subject, duration pause);

  observation look(proto::run_state const& run, cluster_view const& all) const;
  cluster_view look_around() const;
  proto::lease_state const* lease(std::string_view key) const;
  proto::answer const* answer(std::string_view verb, std::string_view key) const;

  options options_;
  controller::run_index& runs_;
  controller::typed_view<proto::lease_state> leases_;
  new_grants new_grants_;
  controller::typed_view<proto::answer> answers_;
  std::map<std::string, instant> asked_;  // by subject: the last request, to suppress repeats
  std::set<std::string> driven_;          // runs that a coroutine is driving
  app::event released_;
  app::timer_queue timers_;
  lists lists_;
  watch watch_;
  metrics::registry counted_;
  trace_export traces_;
};

}  // namespace kopiur::mover_orchestration
