#pragma once
#include <map>
#include <string>

#include "common/app/alarms.hpp"
#include "services/catalog-discovery/shell/list_store.hpp"
#include "services/mirror/shell/base.hpp"
#include "services/mirror/shell/runs.hpp"

namespace kopiur::discovery {

struct options {
  std::string cluster = "local";
  mirror::sight* together = nullptr;  ///< see mirror::place
};

/// Reads what connect and discover runs found; writes the repositories' status and the discovered Backups.
class service : public mirror::base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options how);

  void measure(metrics::registry& into) const override;

 private:
  task work() override;
  task follow_runs();
  task follow_objects();
  task count_again();
  task sweep();
  task forget_lists();
  task look_at_all();
  task ask_for(changes wanted);
  task look_at(proto::object_ref repository);
  task read_list(mirror::repository_sight const& repository, proto::run_state run);
  task tell_row(proto::object_ref object);
  task recall_list(proto::object_ref repository);
  boost::asio::awaitable<std::optional<listed_rows>> rows_of(proto::run_state const& run);
  boost::asio::awaitable<std::optional<changes>> compare(proto::object_ref repository, std::vector<proto::snapshot_row> const& rows);
  using fitting = bool (*)(proto::run_state const&);
  proto::run_state const* newest(std::string const& uid, std::string_view plan, fitting fits) const;

  mirror::runs& runs_;
  list_store lists_;
  /// What the newest list of a repository, by its uid, says of Backups without a status.
  struct untold_rows {
    std::string list;  ///< its discover run
    std::map<mirror::name_key, proto::snapshot_row> rows{};
    bool whole = false;  ///< the list could be read
  };
  std::map<std::string, untold_rows> untold_;
  app::alarms alarms_;
  app::event busy_free_;
  bool busy_ = false;
};

}  // namespace kopiur::discovery
