#pragma once
#include <map>
#include <string>

#include "common/app/alarms.hpp"
#include "services/mirror/shell/base.hpp"
#include "services/retention/core/pool.hpp"

namespace kopiur::retention {

struct options {
  std::string cluster = "local";
  duration settle{2'000};             ///< changes of a config's Backups are gathered that long
  mirror::sight* together = nullptr;  ///< see mirror::place
};

/// Judges each config's Backups when they change, and asks for the deletion of those that no rule keeps; every such request is stamped.
class service : public mirror::base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);

 private:
  task work() override;
  task follow();
  task ring();
  task judge_one(mirror::name_key key);
  task judge_schedule(mirror::name_key key);
  task forget(expired const& one);
  void concern(proto::object_ref const& object);

  options how_;
  std::map<std::string, instant> asked_;  // uids whose deletion was asked for, and when
  app::alarms alarms_;
};

}  // namespace kopiur::retention
