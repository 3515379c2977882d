#pragma once
#include <map>
#include <string>

#include "common/app/work_queue.hpp"
#include "common/bus/fullness.hpp"
#include "services/controller/shell/lease_book.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/triggers.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/mover-orchestration/core/concerned.hpp"
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
  using keys = controller::concerned_keys<work_key>;
  boost::asio::awaitable<keys> keys_of(bus::stored const& message, bus::view* caught_by);
  std::vector<work_key> keys_of_lease(bus::stored const& change);
  std::vector<work_key> keys_of_waiter(bus::stored const& change);
  std::vector<work_key> keys_of_object(proto::object_ref const& changed);
  struct trigger;
  static trigger const& trigger_of(std::string_view subject);
  boost::asio::awaitable<std::optional<std::string>> unreadable(trigger const& kind, bus::stored const& message);
  std::string run_of_answer(std::string_view subject) const;
  open_runs open() const;
  std::string share_of(work_key const& key) const;

  task keep_watch();
  std::optional<proto::object_ref> waits_for_users() const;
  task resync();
  task look_again_at(std::vector<work_key> keys);
  task shrink_runs();
  task work_on(work_key key);
  task drive(std::string run);
  task reconcile_object(proto::object_key key);
  void count(proto::run_event const& event, proto::run_state const& run);
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
  controller::lease_book_of_service kept_leases_;
  controller::lease_book& leases_;
  new_grants new_grants_;
  controller::typed_view<proto::answer> answers_;
  std::map<std::string, instant> asked_;  // by subject: the last request, to suppress repeats
  app::work_queue<work_key> queue_;
  lists lists_;
  watch watch_;
  bus::fullness full_;
  metrics::registry counted_;
  trace_export traces_;
};

}  // namespace kopiur::mover_orchestration
