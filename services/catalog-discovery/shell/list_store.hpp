#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/catalog-discovery/core/catalog.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::catalog_discovery {

/// What a discover run listed, in the pages of its mover's output.
struct listed_rows {
  std::vector<proto::snapshot_row> rows;
  std::vector<std::size_t> page_ends;  ///< page n ends before rows[page_ends[n]]
  list_summary summary;
};

/// The newest complete list of each repository, stored on the bus for every reader.
class list_store {
 public:
  list_store(controller::service_context const& context, log::logger log);

  /// The view of the heads; the caller runs it.
  bus::view& view() { return heads_.view(); }
  /// The known head for the repository of that uid.
  proto::snapshot_list head(std::string const& uid) const;

  /// Writes the list whose head is `next`: the pages, unless the stored ones have the same content, then the head. If another replica was
  /// faster with another list of the repository, that one wins and nothing is lost: it is as complete.
  boost::asio::awaitable<void> keep(proto::snapshot_list next, listed_rows const& what);
  /// Replaces the known head. False: another replica was faster.
  boost::asio::awaitable<bool> write(proto::snapshot_list head);
  /// The rows of the newest list; empty while they cannot be read completely.
  boost::asio::awaitable<std::optional<std::vector<proto::snapshot_row>>> rows(std::string uid);
  /// Removes the pages of repositories whose object was deleted; a later list would write them again.
  boost::asio::awaitable<void> forget(std::set<std::string> const& uids_there);

 private:
  boost::asio::awaitable<void> write_pages(proto::snapshot_list const& head, listed_rows const& what);
  boost::asio::awaitable<void> empty(std::string uid, int half, std::int64_t first, std::int64_t last);
  boost::asio::awaitable<void> publish(bus::publication);

  controller::service_context const context_;
  controller::typed_view<proto::snapshot_list> heads_;
};

}  // namespace kopiur::catalog_discovery
