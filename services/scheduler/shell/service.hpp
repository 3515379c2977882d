#pragma once
#include <map>
#include <set>
#include <string>

#include "common/app/alarms.hpp"
#include "services/mirror/shell/base.hpp"
#include "services/mirror/shell/decoded.hpp"
#include "services/mirror/shell/runs.hpp"
#include "services/scheduler/core/orders.hpp"
#include "services/scheduler/core/plan.hpp"

namespace kopiur::scheduler {

struct options {
  std::string cluster = "local";
  int hands = 16;  ///< lines looked at at the same time
};

/// What a schedule's subject holds: what was decided last, and the state after it.
struct schedule_fact {
  outcome event;
  schedule_state state;
};
BOOST_DESCRIBE_STRUCT(schedule_fact, (), (event, state))

/// Turns schedules into due runs. Every replica decides the same; compare-and-set lets one of them be heard.
class service : public mirror::base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);

 private:
  task work() override;
  task ring();
  task hand();
  task sweep();
  void changed(proto::object_ref const& object);
  void queue(std::string const& key);
  task settle(std::string key);
  task settle_line(line of);
  task settle_repository(std::string uid);
  task order_runs(line const& of, schedule_state const& state);
  task replace(line const& of, schedule_state const& before, std::vector<std::string> const& runs);
  boost::asio::awaitable<bool> write(line const& of, std::uint64_t expected, schedule_fact fact);
  proto::run_state const* run(std::string const& id) const;

  options how_;
  mirror::runs runs_;
  mirror::decoded<schedule_fact> facts_;
  std::map<std::string, proto::object_ref> of_;  // whose key
  std::set<std::string> due_, in_hand_;
  app::event work_;
  app::alarms alarms_;
};

}  // namespace kopiur::scheduler
