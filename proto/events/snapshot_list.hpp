#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// The newest complete list of a repository's snapshots, written by catalog-discovery: a head and its pages. Whether a snapshot exists is
/// decided by it, never by Backup objects (decisions.md section 13).
namespace kopiur::proto {

/// The head (`kopiur.v1.repository.<cluster>.<uid>`), written after the pages. Any later list rebuilds it.
struct snapshot_list {
  std::string uid, unique_ID;     ///< uid of the repository object, and kopia's own id
  std::string list;               ///< the discover run that produced the list; empty: written by a version that kept no lists
  std::uint64_t begun_after = 0;  ///< run_state::committed_after of that run: the list contains everything saved before that fact
  instant listed_at{};
  instant changed_at{};  ///< when the list last differed from the one before
  std::string content;   ///< digest of the list, to detect changes
  std::int64_t snapshots = 0, total_bytes = 0;
  std::string listed_by;  ///< the discover run whose rows were turned into Backups
  // Where the pages are. The next list is written into the other half, so this one stays readable meanwhile.
  std::string pages_of;  ///< the discover run that wrote them: a later, identical list leaves them as they are
  int half = 0;          ///< 0 or 1
  std::int64_t pages = 0;
  std::int64_t other_pages = 0;  ///< number of pages that may still exist in the other half
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
