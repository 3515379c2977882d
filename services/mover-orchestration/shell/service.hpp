#pragma once
#include <map>
#include <set>
#include <string>

#include "common/app/alarms.hpp"
#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "services/mirror/shell/claims.hpp"
#include "services/mirror/shell/follower.hpp"
#include "services/mover-orchestration/core/world.hpp"

namespace kopiur::orchestration {

struct options {
  std::string cluster = "local";
  capabilities can;
};

/// Takes runs from due to done: looks at runs, objects, leases and answers, asks the engine, writes the fact, asks for what is needed.
/// Any number of replicas: triggers are shared by durables, facts are compare-and-set, and what is asked for has deterministic names.
class service {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);

  /// Works until it is cancelled.
  boost::asio::awaitable<void> serve();
  bool ready() const { return ready_; }

 private:
  struct entry {
    proto::run_state state;
    std::uint64_t sequence = 0;
  };
  using task = boost::asio::awaitable<void>;

  task work();
  task follow_triggers(std::string stream, std::string durable, bus::view const* caught_by);
  task take(bus::delivery const& trigger);
  task ring();
  task sweep();

  task affected_by(proto::object_ref const& object);
  task drive(std::string run);
  task drive_once(std::string const& run);
  boost::asio::awaitable<bool> write_fact(std::string const& run, std::uint64_t expected, proto::run_fact fact);
  task tend_object(proto::object_ref object);
  task order(new_run const& one);
  task publish_asks(std::vector<ask> asks);
  task publish_request(proto::lease_request request);
  bool asked_lately(std::string const& subject, duration pause);

  observation look(entry const& at, world const& all) const;
  world look_around() const;
  void remember(std::string const& run, proto::run_state state, std::uint64_t sequence);
  void forget(std::string const& run);
  proto::answer const* answer(std::string_view verb, std::string_view key) const;

  bus::port& bus_;
  clock& time_;
  boost::asio::any_io_executor loop_;
  options how_;
  log::logger log_{"mover-orchestration"};
  mirror::follower mirror_;
  bus::view run_view_, lease_view_, answer_view_;
  mirror::claims claims_;
  std::map<std::string, entry> runs_;
  std::map<std::string, std::set<std::string>> runs_by_uid_;
  std::map<std::string, proto::lease_state> leases_;
  std::map<std::string, proto::answer> answers_;  // by subject
  std::map<std::string, instant> asked_;          // by subject: not again at once
  std::set<std::string> driven_;                  // runs in hand
  app::event let_go_;
  app::alarms alarms_;
  bool ready_ = false;
};

}  // namespace kopiur::orchestration
