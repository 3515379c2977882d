#pragma once
#include <map>
#include <string>
#include <vector>

#include "common/app/work_queue.hpp"
#include "services/catalog-discovery/shell/list_store.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/service_base.hpp"
#include "services/controller/shell/triggers.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

namespace kopiur::catalog_discovery {

struct options {
  std::string cluster = "local";
  controller::process_shared shared = {};
};

/// Reads the results of connect and discover runs; writes the repositories' status and the discovered Backups.
class service : public controller::service_base {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);

  void measure(metrics::registry& into) const override;

 private:
  task work() override;
  using keys = controller::concerned_keys<proto::object_key>;
  boost::asio::awaitable<keys> keys_of_run(bus::stored const& fact);
  boost::asio::awaitable<keys> keys_of_object(bus::stored const& message);
  std::vector<proto::object_key> repositories() const;
  std::vector<proto::object_key> concerned_by(proto::object_ref const& changed) const;
  task resync();
  task forget_lists();
  task work_on(proto::object_key key);
  task ask_for(changes wanted);
  task look_at(proto::object_ref repository);
  task read_list(rules::any_repository const& repository, proto::run_state run);
  task tell_row(proto::object_ref object);
  task recall_list(proto::object_ref repository);
  boost::asio::awaitable<std::optional<listed_rows>> rows_of(proto::run_state const& run);
  boost::asio::awaitable<std::optional<changes>> compare(proto::object_ref repository, std::vector<proto::snapshot_row> const& rows);
  using fitting = bool (*)(proto::run_state const&);
  proto::run_state const* newest(std::string const& uid, std::string_view plan, fitting fits) const;

  controller::run_index& runs_;
  list_store lists_;
  /// What a repository's newest list says of Backups without a status; by the repository's uid.
  struct untold_rows {
    std::string list;  ///< its discover run
    std::map<controller::name_key, proto::snapshot_row> rows{};
    bool whole = false;  ///< the list could be read
  };
  std::map<std::string, untold_rows> untold_;
  app::work_queue<proto::object_key> queue_;  // repositories to look at, and discovered Backups without a status
};

}  // namespace kopiur::catalog_discovery
