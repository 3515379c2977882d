#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"
#include "proto/work.hpp"

/// The newest complete list of a repository's snapshots, as a fact of catalog-discovery: whether a snapshot exists is read here, never from
/// Backup objects (decisions.md section 13). A head that names the list, and its pages.
namespace kopiur::proto {

/// The head (`kopiur.v1.repository.<cluster>.<uid>`), written after the pages. Derived again by any later list.
struct snapshot_list {
  std::string uid, unique_ID;     ///< of the repository's object, and kopia's own
  std::string list;               ///< the discover run that the list is of; empty: written before lists were kept
  std::uint64_t begun_after = 0;  ///< run_state::committed_after of that run: what was saved before that fact is in the list
  instant listed_at{};
  instant changed_at{};  ///< the last list that differed from the one before
  std::string content;   ///< digest of the list: says whether anything changed
  std::int64_t snapshots = 0, total_bytes = 0;
  std::string listed_by;  ///< the discover run whose rows have become Backups
  // Where the pages are. While the next list is written into the other half, this one can be read.
  std::string pages_of;  ///< the discover run that wrote them: a later list that says the same leaves them as they are
  int half = 0;          ///< 0 or 1
  std::int64_t pages = 0;
  std::int64_t other_pages = 0;  ///< what may still lie in the other half
};
KOPIUR_DESCRIBE(snapshot_list, (),
                (uid, unique_ID, list, begun_after, listed_at, changed_at, content, snapshots, total_bytes, listed_by, pages_of, half,
                 pages, other_pages))

/// One page (`kopiur.v1.list.<cluster>.<uid>.<half>.<page>`, pages from 1).
struct list_page {
  std::string list;  ///< the discover run that wrote it, see snapshot_list::pages_of
  std::vector<snapshot_row> rows;
};
KOPIUR_DESCRIBE(list_page, (), (list, rows))

}  // namespace kopiur::proto
