#pragma once
#include <map>
#include <string>

#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "services/catalog-discovery/core/catalog.hpp"
#include "services/mirror/shell/claims.hpp"
#include "services/mirror/shell/follower.hpp"

namespace kopiur::discovery {

struct options {
  std::string cluster = "local";
};

/// Reads what connect and discover runs found; writes the repositories' status and the discovered Backups.
class service {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);
  boost::asio::awaitable<void> serve();
  bool ready() const { return ready_; }

 private:
  using task = boost::asio::awaitable<void>;

  task work();
  task follow_runs();
  task follow_objects();
  task sweep();
  task ask_for(changes wanted);
  task look_at(proto::object_ref repository);
  task read_list(mirror::repository_sight const& repository, proto::run_state run);
  boost::asio::awaitable<std::optional<std::vector<proto::snapshot_row>>> rows_of(proto::run_state const& run);
  proto::run_state const* newest(std::string const& uid, std::string_view plan, bool over) const;
  repository_state state_of(std::string const& uid) const;

  bus::port& bus_;
  clock& time_;
  boost::asio::any_io_executor loop_;
  options how_;
  log::logger log_{"catalog-discovery"};
  mirror::follower mirror_;
  bus::view run_view_, state_view_;
  mirror::claims claims_;
  std::map<std::string, proto::run_state> runs_;  // connect and discover only
  std::map<std::string, instant> all_runs_;       // every run that is not over
  app::event busy_free_;
  bool busy_ = false, ready_ = false;
};

}  // namespace kopiur::discovery
