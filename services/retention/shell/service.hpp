#pragma once
#include <map>
#include <string>

#include "common/app/work_queue.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/retention/core/finished.hpp"

namespace kopiur::retention {

struct options {
  std::string cluster = "local";
  duration settle{2'000};                      ///< changes of a config's Backups are gathered for this long
  std::size_t finished_kept = usual_finished;  ///< objects of one kind and namespace that record one act each, and ended well
  controller::process_shared shared = {};
};

/// Judges each config's Backups when they change, and requests the deletion of those that no rule keeps; every such request is stamped.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

 private:
  task work() override;
  task follow();
  task judge(proto::object_key key);
  task judge_config(proto::object_key key);
  task judge_schedule(proto::object_key key);
  task judge_finished(proto::object_key key);
  void queue_finished(proto::object_ref const& one);
  task forget(expired const& one);

  options options_;
  std::map<std::string, instant> asked_;      // uids whose deletion was requested, and when
  app::work_queue<proto::object_key> queue_;  // configs and schedules to judge; without a name: the finished objects of a kind
};

}  // namespace kopiur::retention
