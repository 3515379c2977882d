#include "services/retention/core/trim.hpp"

#include <gtest/gtest.h>

using namespace kopiur;
using namespace kopiur::retention;
using std::chrono::hours;

namespace {

instant const now = instant_from("2026-11-21T18:00:00Z").value();

std::vector<row> rows_of(proto::backup_origin origin, proto::backup_phase phase, int n) {
  std::vector<row> rows;
  for (int i = 0; i < n; ++i)
    rows.push_back({.id = "b" + std::to_string(i), .ended = now - hours{24 * (i + 1)}, .origin = origin, .phase = phase});
  return rows;
}
std::vector<std::string> gone(std::vector<row> const& rows, std::vector<trimmed> const& trimmed) {
  std::vector<std::string> ids;
  for (auto const& one : trimmed) {
    ids.push_back(rows[one.row].id);
    EXPECT_TRUE(one.reason.ends_with('.'));
  }
  return ids;
}
using ids = std::vector<std::string>;

TEST(TrimFailed, KeepsTheNewestOfASchedule) {
  auto rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Failed, 5);
  rows[2].phase = proto::backup_phase::Succeeded;  // uses no place
  std::swap(rows[0], rows[4]);
  EXPECT_EQ(gone(rows, trim_failed(rows, 3, now)), ids{"b4"});
  EXPECT_EQ(gone(rows, trim_failed(rows, 0, now)), (ids{"b0", "b1", "b3", "b4"}));
  EXPECT_EQ(gone(rows, trim_failed(rows, -1, now)), (ids{"b0", "b1", "b3", "b4"}));
  EXPECT_EQ(gone(rows, trim_failed(rows, 100, now)), ids{});
}

/// Several failures of one slot count once: conformance.md S3.
TEST(TrimFailed, CountsSlots) {
  auto rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Failed, 6);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].slot = "slot " + std::to_string(i / 2);
  EXPECT_EQ(gone(rows, trim_failed(rows, 2, now)), (ids{"b4", "b5"}));
}

TEST(TrimFailed, LeavesAloneWhatIsHeldOrOfTheFuture) {
  auto rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Failed, 6);
  rows[0].pinned = true, rows[1].in_use = true, rows[2].deleting = true, rows[3].ended = now + hours{24 * 365 * 16};
  EXPECT_EQ(gone(rows, trim_failed(rows, 1, now)), ids{"b5"});
}

/// decisions.md section 13: three scheduled ones of a source stay.
TEST(TrimHeld, KeepsTheNewestThreeOfASource) {
  auto rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Held, 6);
  EXPECT_EQ(gone(rows, trim_held(rows, now)), (ids{"b3", "b4", "b5"}));
  rows[0].pinned = rows[1].in_use = rows[2].deleting = true;
  EXPECT_EQ(gone(rows, trim_held(rows, now)), ids{}) << "those neither count nor go";
  rows = rows_of(proto::backup_origin::manual, proto::backup_phase::Held, 6);
  EXPECT_EQ(gone(rows, trim_held(rows, now)), ids{}) << "manual ones are the user's";
  rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Succeeded, 6);
  EXPECT_EQ(gone(rows, trim_held(rows, now)), ids{});
}

TEST(TrimDiscovered, BoundsByNumberAndByAge) {
  auto rows = rows_of(proto::backup_origin::discovered, proto::backup_phase::Discovered, 5);
  EXPECT_EQ(gone(rows, trim_discovered(rows, {}, now)), ids{});
  EXPECT_EQ(gone(rows, trim_discovered(rows, {.per_identity = 3}, now)), (ids{"b3", "b4"}));
  EXPECT_EQ(gone(rows, trim_discovered(rows, {.max_age_days = 2}, now)), (ids{"b2", "b3", "b4"}));
  EXPECT_EQ(gone(rows, trim_discovered(rows, {.per_identity = 1, .max_age_days = 4}, now)), (ids{"b1", "b2", "b3", "b4"}));
}

TEST(TrimDiscovered, PassesOverOtherOrigins) {
  auto rows = rows_of(proto::backup_origin::scheduled, proto::backup_phase::Succeeded, 5);
  EXPECT_EQ(gone(rows, trim_discovered(rows, {.per_identity = 1, .max_age_days = 1}, now)), ids{});
}

}  // namespace
