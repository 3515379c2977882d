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

/// Names one opportunity for a fault in a run: the nth draw at a place. As stable as possible when other faults are left out.
struct fault_id {
  std::string place;
  std::uint64_t nth = 0;
  auto operator<=>(fault_id const&) const = default;
};

/// Formats and parses `worker-1/bus#17`.
std::string describe(fault_id const&);
std::optional<fault_id> fault_from(std::string_view);

/// A fault that struck.
struct injection {
  fault_id id;
  std::string what;
  instant time{};          ///< steady time of the world
  std::uint64_t step = 0;  ///< of the world
};
/// For people: `worker-1/bus#17 lost_after at 2026-01-01T00:00:03Z, step 12345`.
std::string describe(injection const&);

/// A broken rule, with everything that is needed to reproduce it.
struct violation {
  std::string rule;  ///< short and constant: shrinking keeps to one rule
  std::string text;
  std::uint64_t seed = 0, order = 0;
  instant time{};
  std::uint64_t step = 0;         ///< length of the prefix: nothing after this step is needed
  std::vector<injection> faults;  ///< all that struck before it
  std::string trace;              ///< the last notes before it
};
/// Several lines: rule, text, seed, order, step, faults, trace.
std::string describe(violation const&);

/// One possible fault and its probability (0..1).
struct chance {
  double probability = 0;
  char const* what = "";  ///< a literal: the name under which it is counted
};

/// A fault that a scenario orders: it strikes the next call of this verb.
struct ordered_fault {
  std::string who;        ///< prefix of the process name
  std::string verb;       ///< as in caller::verb
  std::string subject;    ///< part of the call's subject; empty: any
  char const* what = "";  ///< a literal: the name of one of call_faults
};

/// A place where faults may strike. Draws are numbered per place, so that a fault left out elsewhere changes nothing here.
class site {
 public:
  explicit site(std::string name, std::uint64_t seed);
  std::string const& name() const { return name_; }

 private:
  friend class fault_ledger;
  std::string name_;
  std::uint64_t salt_, drawn_ = 0;
};

/// Decides which faults strike, and records those that did. A decision depends only on seed, place and number.
class fault_ledger {
 public:
  /// A fault that struck: its index among the chances, and 64 random bits that decide its severity.
  struct blow {
    std::size_t which = 0;
    std::uint64_t luck = 0;
  };
  struct moment {
    instant time{};
    std::uint64_t step = 0;
  };

  /// `allowed`: if set, only these faults strike (for shrinking).
  fault_ledger(std::uint64_t seed, std::optional<std::set<fault_id>> allowed) : seed_(seed), allowed_(std::move(allowed)) {}

  /// The place with that name; the reference lives as long as the ledger.
  site& place(std::string_view name);
  /// One opportunity: at most one of the chances strikes; the sum of the probabilities is at most 1.
  std::optional<blow> draw(site&, std::span<chance const>, moment now);
  /// Orders a fault for a call; the number identifies the order.
  std::size_t order(ordered_fault one);
  /// Whether the ordered call has not come yet.
  bool awaited(std::size_t order) const { return orders_[order].has_value(); }
  /// The fault ordered for this call, which uses one number of the place. An order that names none of the chances stays awaited.
  std::optional<blow> ordered(site&, std::string_view who, std::string_view verb, std::string_view subject, std::span<chance const> chances,
                              moment now);
  /// Uses the next number of the place without a decision: for a fault that is planned for later.
  fault_id next(site&);
  /// True when a planned trouble may happen; it is then recorded.
  bool permits(fault_id const&, char const* what, moment now);

  std::vector<injection> const& struck() const { return struck_; }
  /// How often each kind struck; a kind that never struck is absent.
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
