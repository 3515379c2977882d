#include "services/retention/core/judge.hpp"

#include <algorithm>
#include <limits>

namespace kopiur::retention {

using namespace std::chrono;

namespace {

using keys = std::array<std::int64_t, periods>;

/// Local calendar keys of instants; fast for instants in order.
class calendar {
 public:
  explicit calendar(zone const& z) : zone_(z), era_(z.at(sys_seconds{})) {}

  /// `serial` gives every row its own bucket, for keepLatest.
  keys of(instant time, std::size_t serial) {
    auto second = floor<seconds>(time);
    if (second < era_.begin || second >= era_.end) era_ = zone_.at(second);
    auto local = local_seconds{second.time_since_epoch() + era_.offset};
    auto day = floor<days>(local);
    year_month_day date{day};
    // An hour that occurs twice when the clocks go back is two hours: each has its own bucket.
    auto hour = floor<hours>(local).time_since_epoch().count() * 0x40000 + era_.offset.count();
    auto week = floor<weeks>(day.time_since_epoch() + days{3}).count();  // ISO: a week begins on Monday, 1970-01-01 was a Thursday
    auto month = int(date.year()) * 12 + static_cast<int>(unsigned(date.month()));
    return {-static_cast<std::int64_t>(serial), hour, day.time_since_epoch().count(), week, month, int(date.year())};
  }

 private:
  zone const& zone_;
  zone::era era_;
};

/// One rule, applied from the newest row to the oldest.
class walk {
 public:
  explicit walk(std::uint32_t places) : places_(places) {}

  void meet(std::int64_t bucket, std::uint32_t& rank, miss& missed) {
    if (places_ == 0) return;
    if (holds(bucket)) {
      missed = miss::not_first;
    } else if (taken_.size() == places_) {
      missed = miss::too_old;
    } else {
      taken_.push_back(bucket);
      lowest_ = std::min(lowest_, bucket);
      rank = static_cast<std::uint32_t>(taken_.size());
    }
  }

 private:
  /// Buckets arrive in descending order, except in a night in which the clocks go back over midnight: only then is a search needed.
  bool holds(std::int64_t bucket) const {
    if (bucket < lowest_) return false;
    return bucket == lowest_ || std::ranges::find(taken_, bucket) != taken_.end();
  }

  std::uint32_t places_;
  std::int64_t lowest_ = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> taken_;
};

standing standing_of(row const& r, instant now) {
  using proto::backup_origin;
  if (r.deleting) return standing::deleting;
  if (r.origin == backup_origin::manual) return standing::manual;
  if (r.origin == backup_origin::discovered) return standing::discovered;
  if (r.phase != proto::backup_phase::Succeeded) return standing::unfinished;
  if (!r.has_snapshot) return standing::bare;
  if (r.pinned) return standing::pinned;
  return r.ended > now + clock_tolerance ? standing::future : standing::judged;
}

struct candidate {
  instant ended;
  std::size_t row;
};

/// Sets the standing of every row; returns the judged rows, newest first.
std::vector<candidate> sorted_candidates(std::span<row const> rows, instant now, std::vector<verdict>& verdicts) {
  std::vector<candidate> candidates;
  candidates.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    verdicts[i].standing = standing_of(rows[i], now);
    if (verdicts[i].standing == standing::judged) candidates.push_back({rows[i].ended, i});
  }
  std::ranges::sort(candidates, [&](candidate const& a, candidate const& b) {
    return a.ended != b.ended ? a.ended > b.ended : rows[a.row].id < rows[b.row].id;
  });
  return candidates;
}

}  // namespace

std::vector<verdict> judge(std::span<row const> rows, policy const& by, instant now) {
  std::vector<verdict> verdicts(rows.size());
  auto const candidates = sorted_candidates(rows, now, verdicts);
  if (!candidates.empty()) verdicts[candidates.front().row].newest = true;

  std::array<walk, periods> walks{walk(by.keep[0]), walk(by.keep[1]), walk(by.keep[2]),
                                  walk(by.keep[3]), walk(by.keep[4]), walk(by.keep[5])};
  calendar local(by.calendar);
  for (std::size_t serial = 0; serial < candidates.size(); ++serial) {
    auto const& [ended, index] = candidates[serial];
    auto& v = verdicts[index];
    if (v.no_rules = !by.prunes(); v.no_rules) continue;
    auto buckets = local.of(ended, serial);
    for (std::size_t p = 0; p < periods; ++p) walks[p].meet(buckets[p], v.rank[p], v.missed[p]);
    bool ruled_in = v.newest || std::ranges::any_of(v.rank, [](auto rank) { return rank > 0; });
    v.in_use = !ruled_in && rows[index].in_use;
    v.keep = ruled_in || v.in_use;
  }
  return verdicts;
}

}  // namespace kopiur::retention
