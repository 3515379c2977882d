#pragma once
#include <map>
#include <set>

#include "common/app/async.hpp"
#include "proto/events/snapshot_list.hpp"
#include "services/controller/core/cluster_view.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::mover_orchestration {

/// The newest list of snapshots per repository. Keeps the heads of all lists, and the rows of only those identities that were requested.
class lists {
 public:
  /// `changed`: called when a new list arrives, or requested rows have been read. Must not throw.
  lists(controller::service_context const& context, log::logger log, std::function<void()> changed);

  /// The view of the heads, for the owner to follow.
  bus::view& view() { return heads_.view(); }
  /// nullptr: no list. Valid until the next suspension, as for find().
  proto::snapshot_list const* head(std::string const& repository) const;
  /// The rows that were read; nullptr: call want(). They may be from an older list.
  controller::listed_snapshots const* find(controller::list_query const& what) const;
  /// Requests rows of the newest list. All requests for a repository that are pending at that time are served by one read.
  void want(controller::list_query what);
  /// Reads the requested rows; ends only by cancellation or failure.
  boost::asio::awaitable<void> serve();

 private:
  using wanted = std::map<std::string, std::set<proto::identity>>;  // by repository
  boost::asio::awaitable<void> read(std::string repository, std::set<proto::identity> who);

  controller::service_context const context_;
  controller::typed_view<proto::snapshot_list> heads_;
  std::function<void()> changed_;
  std::map<controller::list_query, controller::listed_snapshots> found_;
  wanted wanted_;
  app::event asked_;
};

}  // namespace kopiur::mover_orchestration
