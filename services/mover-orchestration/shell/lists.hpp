#pragma once
#include <map>
#include <set>

#include "common/app/async.hpp"
#include "proto/events/snapshot_list.hpp"
#include "services/controller/core/cluster_view.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::mover_orchestration {

/// The newest lists of what repositories hold. Their heads are known; of their rows those identities are held that somebody asked for.
class lists {
 public:
  /// `changed`: called when there is another list, or what was wanted has been read. Must not throw.
  lists(controller::service_context const& at, log::logger log, std::function<void()> changed);

  /// The heads: to be followed.
  bus::view& view() { return heads_.view(); }
  /// nullptr: none. As find(), good until the next suspension.
  proto::snapshot_list const* head(std::string const& repository) const;
  /// What was read; nullptr: to be wanted. It may be of an older list.
  controller::listed_snapshots const* find(controller::list_query const& what) const;
  /// Has it read out of the newest list. All that is wanted of a repository by then is found in one reading.
  void want(controller::list_query what);
  /// Reads what is wanted; ends only by cancellation or failure.
  boost::asio::awaitable<void> serve();

 private:
  using wanted = std::map<std::string, std::set<proto::identity>>;  // by repository
  boost::asio::awaitable<void> read(std::string repository, std::set<proto::identity> who);

  controller::service_context const at_;
  controller::typed_view<proto::snapshot_list> heads_;
  std::function<void()> changed_;
  std::map<controller::list_query, controller::listed_snapshots> found_;
  wanted wanted_;
  app::event asked_;
};

}  // namespace kopiur::mover_orchestration
