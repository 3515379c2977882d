#include "common/testing/shrink.hpp"

namespace kopiur::testing {

namespace {

class shrinker {
 public:
  shrinker(scenario const& run, shrink_limits limits, shrunk start) : run_(run), limits_(limits), best_(std::move(start)) {}

  shrunk result() && {
    while (drop_chunks());
    shorten();
    return std::move(best_);
  }

 private:
  /// One pass of delta debugging: halves first, single faults last. True when a fault was left out and another pass is worth it.
  bool drop_chunks() {
    bool dropped = false;
    for (auto size = best_.seen.faults.size(); size > 0; size = size == 1 ? 0 : (size + 1) / 2)
      for (std::size_t from = 0; from < best_.seen.faults.size() && best_.runs < limits_.runs;)
        if (violates_without(from, size))
          dropped = true;  // the list has changed: try the same position again
        else
          from += size;
    return dropped && best_.runs < limits_.runs;
  }

  bool violates_without(std::size_t from, std::size_t size) {
    std::set<fault_id> kept;
    auto const& faults = best_.seen.faults;
    for (std::size_t i = 0; i < faults.size(); ++i)
      if (i < from || i >= from + size) kept.insert(faults[i].id);
    auto count = faults.size();
    return attempt(std::move(kept), [count](violation const& seen) { return seen.faults.size() < count; });
  }

  void shorten() {
    std::set<fault_id> kept;
    for (auto const& each : best_.seen.faults) kept.insert(each.id);
    auto count = best_.seen.faults.size();
    while (best_.runs < limits_.runs) {
      auto steps = best_.seen.step;
      if (!attempt(kept, [&](violation const& seen) { return seen.faults.size() <= count && seen.step < steps; })) return;
    }
  }

  template <class Better>
  bool attempt(std::set<fault_id> kept, Better is_better) {
    auto options = best_.options;
    options.allowed = std::move(kept);
    auto usual = options.order;
    for (std::uint64_t i = 0; i <= limits_.orders && best_.runs < limits_.runs; ++i) {
      options.order = i == 0 ? usual : usual + 7919 * i;
      ++best_.runs;
      auto seen = run_(options);
      if (!seen || seen->rule != best_.seen.rule || !is_better(*seen)) continue;
      best_.options = options;
      best_.seen = std::move(*seen);
      return true;
    }
    return false;
  }

  scenario const& run_;
  shrink_limits limits_;
  shrunk best_;
};

}  // namespace

std::optional<shrunk> shrink(world_options options, scenario const& run, shrink_limits limits) {
  auto seen = run(options);
  if (!seen) return {};
  return shrinker(run, limits, {std::move(options), std::move(*seen), 1}).result();
}

std::optional<shrunk> find_and_shrink(world_options options, std::uint64_t seeds, scenario const& run, shrink_limits limits) {
  for (auto end = options.seed + seeds; options.seed < end; ++options.seed)
    if (auto found = shrink(options, run, limits)) return found;
  return {};
}

}  // namespace kopiur::testing
