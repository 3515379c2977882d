#pragma once
#include <gtest/gtest.h>

#include "common/log/log.hpp"
#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/script.hpp"

/// What scenarios share.
namespace kopiur::simulation {

using namespace std::chrono_literals;

/// Runs the scenario to its end, and demands that every rule held.
inline void expect_no_violation(duration length, std::function<void(script)> scenario, std::uint64_t seed = 1) {
  static bool const quiet = (log::start({.least = log::level::error, .file = "/dev/null"}), true);
  EXPECT_TRUE(quiet);
  story one({.seed = seed}, {.length = length, .with_faults = false, .scenario = std::move(scenario)});
  auto seen = one.run();
  EXPECT_FALSE(seen) << testing::describe(*seen);
}

inline bool is(json::value const* object, std::string_view phase) { return object && object->text("status.phase") == phase; }

/// Bob's Backup "only" is made at that time; `then`, once it is saved.
inline void save_only(script acts, duration when, std::function<void()> then) {
  acts.at(when, [acts] { acts.create(manual_backup("bob", "only", "all", "/pvc/one")); });
  acts.when("a Backup that was saved", [acts] { return is(acts.object("Backup", "bob", "only"), "Succeeded"); }, std::move(then));
}

}  // namespace kopiur::simulation
