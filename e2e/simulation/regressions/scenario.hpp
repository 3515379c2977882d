#pragma once
#include <gtest/gtest.h>

#include "common/log/log.hpp"
#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/script.hpp"

/// Shared by the scenarios.
namespace kopiur::simulation {

using namespace std::chrono_literals;

/// Runs the scenario to its end and expects no violation.
inline void expect_no_violation(duration length, std::function<void(script)> scenario, std::uint64_t seed = 1, int replicas = 3) {
  static bool const quiet = (log::start({.least = log::level::error, .file = "/dev/null"}), true);
  EXPECT_TRUE(quiet);
  story one({.seed = seed}, {.length = length, .replicas = replicas, .with_faults = false, .scenario = std::move(scenario)});
  auto seen = one.run();
  EXPECT_FALSE(seen) << testing::describe(*seen);
}

inline bool is(json::value const* object, std::string_view phase) { return object && object->text("status.phase") == phase; }

/// Creates bob's Backup "only" at that time; calls `then` once it Succeeded.
inline void save_only(script acts, duration when, std::function<void()> then) {
  acts.at(when, [acts] { acts.create(manual_backup("bob", "only", "all", "/pvc/one")); });
  acts.when("a Backup that was saved", [acts] { return is(acts.object("Backup", "bob", "only"), "Succeeded"); }, std::move(then));
}

}  // namespace kopiur::simulation
