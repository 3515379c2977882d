#pragma once
#include <deque>
#include <map>
#include <string>
#include <unordered_set>

#include "common/app/timer_queue.hpp"
#include "common/json/describe.hpp"
#include "services/controller/core/system.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/scheduler/core/plan.hpp"

namespace kopiur::scheduler {

using controller::timed_object;

struct options {
  std::string cluster = "local";
  std::size_t workers = 128;  ///< timed objects decided at the same time
  controller::process_shared shared = {};
};

/// The content of a schedule's subject: the last decision, and the state after it.
struct schedule_fact {
  outcome event;
  schedule_state state;
};
KOPIUR_DESCRIBE(schedule_fact, (), (event, state))

/// Turns schedules into due runs. Every replica decides the same; compare-and-set accepts the write of one.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

 private:
  task work() override;
  task ring();
  task work_on(std::string key);
  task resync();
  task enqueue_all();
  void changed(proto::object_ref const& object);
  void enqueue(std::string const& key);
  void enqueue_if_held(std::string const& key);
  void enqueue_later(std::string const& key);
  void start();
  std::optional<std::string> take_next();
  task settle(std::string key);
  task settle_slots(timed_object timed);
  task settle_runs(controller::system const& system, timed_object timed);
  task order_runs(timed_object const& timed, schedule_state const& state);
  task replace(timed_object const& timed, schedule_state const& before, std::vector<std::string> const& runs);
  boost::asio::awaitable<bool> write(timed_object const& timed, std::uint64_t expected, schedule_fact fact);
  proto::run_state const* run(std::string const& id) const;
  std::optional<std::string> taken_from(timed_object const& timed, last_fire const& last, slot_run const& one) const;
  void look_at(timed_object const& timed, last_fire const& last, slot_run& one) const;

  options options_;
  controller::run_index& runs_;
  controller::typed_view<schedule_fact> facts_;
  std::map<std::string, proto::object_ref> objects_;  // by the timed object's key
  /// Keys in FIFO order, each at most once.
  struct key_queue {
    std::deque<std::string> order;
    std::unordered_set<std::string> members;
  };
  key_queue due_, later_;                            // later_: from the resync, served when due_ is empty
  std::unordered_set<std::string> in_work_, again_;  // being decided; requested again meanwhile
  app::timer_queue timers_;
  app::nursery workers_;
  bool works_ = false;
};

}  // namespace kopiur::scheduler
