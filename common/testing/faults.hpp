#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::testing {

/// Names one opportunity for a fault in a run: the nth draw at a place. Stable when other faults are left out, as far as a run can be.
struct fault_id {
  std::string place;
  std::uint64_t nth = 0;
  auto operator<=>(fault_id const&) const = default;
};

/// `worker-1/bus#17`, both ways.
std::string describe(fault_id const&);
std::optional<fault_id> fault_from(std::string_view);

/// A fault that struck.
struct injection {
  fault_id id;
  std::string what;
  instant at{};            ///< steady time of the world
  std::uint64_t step = 0;  ///< of the world
};
/// For people: `worker-1/bus#17 lost_after at 2026-01-01T00:00:03Z, step 12345`.
std::string describe(injection const&);

/// What a run must never show, with all that is needed to see it again.
struct violation {
  std::string rule;  ///< its short, constant name: shrinking keeps to one rule
  std::string text;
  std::uint64_t seed = 0, order = 0;
  instant at{};
  std::uint64_t step = 0;         ///< the prefix: nothing after this step is needed
  std::vector<injection> faults;  ///< all that struck before it
  std::string trace;              ///< the last notes before it
};
/// Several lines: rule, text, seed, order, step, faults, trace.
std::string describe(violation const&);

/// One thing that may go wrong, and how probably (0..1).
struct chance {
  double probability = 0;
  char const* what = "";  ///< a literal: the name under which it is counted
};

/// A call that is to go wrong, because a scenario says so: the next one of this verb.
struct ordered_fault {
  std::string who;        ///< the process' name begins with it
  std::string verb;       ///< as caller::verb
  std::string subject;    ///< a part of what the call is about; empty: whatever it is
  char const* what = "";  ///< a literal: the name of one of call_faults
};

/// A place where faults may strike. Draws are numbered here, so that a fault left out elsewhere moves nothing here.
class site {
 public:
  explicit site(std::string name, std::uint64_t seed);
  std::string const& name() const { return name_; }

 private:
  friend class fault_ledger;
  std::string name_;
  std::uint64_t salt_, drawn_ = 0;
};

/// Decides which faults strike, and keeps the list of those that did. Decisions depend on seed, place and number alone.
class fault_ledger {
 public:
  /// What struck: its index among the chances, and 64 random bits to settle how badly.
  struct blow {
    std::size_t which = 0;
    std::uint64_t luck = 0;
  };
  struct moment {
    instant at{};
    std::uint64_t step = 0;
  };

  /// `allowed`: when set, only these strike (shrinking).
  fault_ledger(std::uint64_t seed, std::optional<std::set<fault_id>> allowed) : seed_(seed), allowed_(std::move(allowed)) {}

  /// The place of that name; the reference lives as long as the ledger.
  site& place(std::string_view name);
  /// One opportunity: at most one of the chances strikes; their sum is at most 1.
  std::optional<blow> draw(site&, std::span<chance const>, moment now);
  /// Lets a call go wrong; the number names the order.
  std::size_t order(ordered_fault one);
  /// Whether that call has not come yet.
  bool awaited(std::size_t order) const { return orders_[order].has_value(); }
  /// What was ordered for this call, which takes a number of the place. An order of what is none of the chances stays awaited.
  std::optional<blow> ordered(site&, std::string_view who, std::string_view verb, std::string_view subject, std::span<chance const> chances,
                              moment now);
  /// Takes the next number of the place without deciding anything: for what will happen later by plan.
  fault_id next(site&);
  /// True when a planned trouble may happen; then it is on record.
  bool permits(fault_id const&, char const* what, moment now);

  std::vector<injection> const& struck() const { return struck_; }
  /// How often each kind struck; a kind that never did is absent.
  std::map<std::string, std::uint64_t, std::less<>> const& counts() const { return counts_; }

 private:
  std::uint64_t seed_;
  std::optional<std::set<fault_id>> allowed_;
  std::map<std::string, site, std::less<>> places_;
  std::vector<injection> struck_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;
  std::vector<std::optional<ordered_fault>> orders_;  // empty once its call has come
};

}  // namespace kopiur::testing
