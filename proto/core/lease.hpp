#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "common/time/instant.hpp"
#include "proto/describe.hpp"

/// Leases: one aggregate per key, written by maintenance-lease only (decisions.md section 3).
namespace kopiur::proto {

enum class lease_mode { Shared, Exclusive };
BOOST_DESCRIBE_ENUM(lease_mode, Shared, Exclusive)
/// Higher first.
enum class lease_priority { Background, Scheduled, Manual, Restore };
BOOST_DESCRIBE_ENUM(lease_priority, Background, Scheduled, Manual, Restore)

/// How many runs may share a key when the request does not say so: requests of versions before `slots` existed.
inline constexpr std::int64_t usual_slots = 8;

struct lease_holder {
  std::string cluster, run;
  lease_mode mode = lease_mode::Exclusive;
  instant until{};          ///< renewed every 40 s for 120 s; after it the holder can be replaced, once its pods are proven gone
  std::uint64_t fence = 0;  ///< sequence of the fact before the grant, + 1; it only grows
};
KOPIUR_DESCRIBE_NOTED(lease_holder, (), (cluster, run, mode, until, fence))
/// A run that waits for a lease: a fact of its own, so that a crowd costs no more for each than one does.
struct lease_waiter {
  std::string cluster, run;
  lease_mode mode = lease_mode::Exclusive;
  lease_priority priority = lease_priority::Scheduled;
  instant since{}, until{};  ///< a waiter that does not ask again by `until` is dropped
  std::int64_t slots = usual_slots;
  std::string key;
};
KOPIUR_DESCRIBE_NOTED(lease_waiter, (), (cluster, run, mode, priority, since, until, slots, key))

struct lease_state {
  std::string key;
  std::vector<lease_holder> holders;
  std::vector<lease_waiter> waiters;  ///< written by versions before waiters had facts of their own; maintenance-lease moves them
};
KOPIUR_DESCRIBE_NOTED(lease_state, (), (key, holders, waiters))

struct acquire_lease {
  static constexpr std::string_view member = "acquire";
  std::string key, cluster, run;
  lease_mode mode = lease_mode::Exclusive;
  lease_priority priority = lease_priority::Scheduled;
  std::int64_t slots = usual_slots;  ///< Shared: how many runs, this one included, may hold the key together; 0: as many as a message names
  bool wait = true;                  ///< false: granted now, or nothing happens: the run is never queued
};
KOPIUR_DESCRIBE_NOTED(acquire_lease, (), (key, cluster, run, mode, priority, slots, wait))
struct renew_lease {
  static constexpr std::string_view member = "renew";
  std::string key, cluster, run;
};
KOPIUR_DESCRIBE_NOTED(renew_lease, (), (key, cluster, run))
struct release_lease {
  static constexpr std::string_view member = "release";
  std::string key, cluster, run;
};
KOPIUR_DESCRIBE_NOTED(release_lease, (), (key, cluster, run))
using lease_request = std::variant<acquire_lease, renew_lease, release_lease>;

// Events.
struct lease_granted {
  static constexpr std::string_view type = "lease.granted.v1", member = "granted";
  std::string run;
  std::uint64_t fence = 0;
};
KOPIUR_DESCRIBE(lease_granted, (), (run, fence))
struct lease_queued {
  static constexpr std::string_view type = "lease.queued.v1", member = "queued";
  std::string run;
};
KOPIUR_DESCRIBE(lease_queued, (), (run))
struct lease_renewed {
  static constexpr std::string_view type = "lease.renewed.v1", member = "renewed";
  std::string run;
};
KOPIUR_DESCRIBE(lease_renewed, (), (run))
struct lease_released {
  static constexpr std::string_view type = "lease.released.v1", member = "released";
  std::string run;
};
KOPIUR_DESCRIBE(lease_released, (), (run))
/// An expired holder lost the lease; its pods are proven gone.
struct lease_taken_over {
  static constexpr std::string_view type = "lease.taken-over.v1", member = "takenOver";
  std::string run, proof;
};
KOPIUR_DESCRIBE(lease_taken_over, (), (run, proof))
using lease_event = std::variant<lease_granted, lease_queued, lease_renewed, lease_released, lease_taken_over>;

}  // namespace kopiur::proto
