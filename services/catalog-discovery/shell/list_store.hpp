#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/catalog-discovery/core/catalog.hpp"
#include "services/controller/shell/typed_view.hpp"

namespace kopiur::catalog_discovery {

/// What a discover run has listed, page by page as its mover's output came.
struct listed_rows {
  std::vector<proto::snapshot_row> rows;
  std::vector<std::size_t> page_ends;  ///< the rows of page n end before rows[page_ends[n]]
};

/// The newest complete list of each repository, kept on the bus for all who ask what exists.
class list_store {
 public:
  list_store(controller::service_context const& at, log::logger log);

  /// The heads: to be followed.
  bus::view& view() { return heads_.view(); }
  /// What is known of the repository of that uid.
  proto::snapshot_list head(std::string const& uid) const;

  /// Writes the list that `next` is the head of: its pages, unless those that lie there say the same, then the head. A replica that was
  /// quicker with another list of the repository wins, and nothing is lost: that one is as complete.
  boost::asio::awaitable<void> keep(proto::snapshot_list next, listed_rows const& what);
  /// Writes a head over what is known. False: somebody else was quicker.
  boost::asio::awaitable<bool> write(proto::snapshot_list head);
  /// The rows of the newest list; nothing while they cannot be read whole.
  boost::asio::awaitable<std::optional<std::vector<proto::snapshot_row>>> rows(std::string uid);
  /// Takes the pages away of repositories whose object is gone; any later list would make them again.
  boost::asio::awaitable<void> forget(std::set<std::string> const& uids_there);

 private:
  boost::asio::awaitable<void> write_pages(proto::snapshot_list const& head, listed_rows const& what);
  boost::asio::awaitable<void> empty(std::string uid, int half, std::int64_t first, std::int64_t last);
  boost::asio::awaitable<void> publish(bus::publication);

  controller::service_context const at_;
  controller::typed_view<proto::snapshot_list> heads_;
};

}  // namespace kopiur::catalog_discovery
