#pragma once
#include <map>
#include <string>

#include "common/app/work_queue.hpp"
#include "common/bus/fullness.hpp"
#include "services/controller/core/system.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/scheduler/core/settle.hpp"

namespace kopiur::scheduler {

struct options {
  std::string cluster = "local";
  std::size_t workers = 256;  ///< timed objects decided at the same time; half of them of one namespace
  controller::process_shared shared = {};
};

/// Turns schedules into due runs. Every replica decides the same; compare-and-set accepts the write of one.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

 private:
  task work() override;
  task resync();
  task enqueue_all();
  void changed(proto::object_ref const& object);
  bool is_held(std::string const& key) const;
  task try_to_settle(std::string key);
  task settle(std::string key);
  task settle_slots(timed_object timed);
  task settle_runs(controller::system const& system, timed_object timed);
  task order_runs(timed_object const& timed, schedule_state const& state);
  boost::asio::awaitable<bool> write(timed_object const& timed, std::uint64_t expected, schedule_fact fact);
  proto::run_state const* run(std::string const& id) const;
  slots_view view_of(timed_object const& timed, schedule_fact const* known = nullptr) const;

  options options_;
  bus::fullness full_;
  controller::run_index& runs_;
  controller::typed_view<schedule_fact> facts_;
  std::map<std::string, proto::object_ref> objects_;  // by the timed object's key
  app::work_queue<std::string> queue_;                // keys of timed objects to decide; the namespace of the object is their share
};

}  // namespace kopiur::scheduler
