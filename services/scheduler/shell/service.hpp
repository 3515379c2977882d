#pragma once
#include <deque>
#include <map>
#include <string>
#include <unordered_set>

#include "common/app/timer_queue.hpp"
#include "common/json/describe.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/scheduler/core/orders.hpp"
#include "services/scheduler/core/plan.hpp"

namespace kopiur::scheduler {

struct options {
  std::string cluster = "local";
  std::size_t hands = 128;  ///< lines looked at at the same time
  controller::process_shared shared = {};
};

/// What a schedule's subject holds: what was decided last, and the state after it.
struct schedule_fact {
  outcome event;
  schedule_state state;
};
KOPIUR_DESCRIBE(schedule_fact, (), (event, state))

/// Turns schedules into due runs. Every replica decides the same; compare-and-set lets one of them be heard.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);

 private:
  task work() override;
  task ring();
  task hand(std::string key);
  task sweep();
  task look_at_all();
  void changed(proto::object_ref const& object);
  void queue(std::string const& key);
  void queue_held(proto::object_ref const& repository);
  void queue_later(std::string const& key);
  void start();
  std::optional<std::string> take_next();
  task settle(std::string key);
  task settle_line(line of);
  task settle_repository(std::string uid);
  task order_runs(line const& of, schedule_state const& state);
  task replace(line const& of, schedule_state const& before, std::vector<std::string> const& runs);
  boost::asio::awaitable<bool> write(line const& of, std::uint64_t expected, schedule_fact fact);
  proto::run_state const* run(std::string const& id) const;
  std::optional<std::string> taken_from(line const& of, last_fire const& last, slot_run const& one) const;
  void look_at(line const& of, last_fire const& last, slot_run& one) const;

  options how_;
  controller::run_index& runs_;
  controller::typed_view<schedule_fact> facts_;
  std::map<std::string, proto::object_ref> of_;  // whose key
  /// Keys in the order of asking; once each.
  struct line_up {
    std::deque<std::string> order;
    std::unordered_set<std::string> members;
  };
  line_up due_, later_;                              // later: the sweep's, behind all that is due
  std::unordered_set<std::string> in_hand_, again_;  // at work; asked for meanwhile
  app::timer_queue timers_;
  app::nursery hands_;
  bool works_ = false;
};

}  // namespace kopiur::scheduler
