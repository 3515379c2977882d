#pragma once
#include <functional>
#include <map>
#include <string>

#include "common/testing/call.hpp"
#include "services/provisioner/shell/driver.hpp"

/// Object stores in memory, outside the cluster. They survive every crash.
namespace kopiur::simulation {

/// A name on a store.
struct bucket_place {
  std::string store, name;
  auto operator<=>(bucket_place const&) const = default;
};
struct bucket {
  int number = 0;     ///< of all buckets ever made
  std::string maker;  ///< uid of the Buckety whose call made it; empty: somebody else did
  int objects = 0;
  std::string versioning = "false";
  /// Somebody else made it under the name of one that the product had made and somebody had deleted: a store shows no difference.
  bool posing = false;
};

/// For whom a request was sent, and what was there at that moment.
struct sender {
  std::string uid;  ///< of the Buckety
  int number = 0;   ///< of the bucket; 0: there was none
};

/// All stores. A request takes time, may fail, may be done without an answer, and may be done late.
class cloud {
 public:
  explicit cloud(testing::world& home) : home_(home) {}
  cloud(cloud const&) = delete;

  testing::world& home() { return home_; }
  std::map<bucket_place, bucket> buckets;
  /// Nothing when there is one already.
  bucket* make(bucket_place const& place, std::string maker, int objects = 0);
  std::map<std::string, instant> away_until;  ///< by store: until then it answers nothing
  testing::call_faults calls{.fastest = duration(5), .slowest = duration(400), .lateness = duration(30'000)};
  double fails = 0;   ///< an error; nothing was done
  double unsure = 0;  ///< an error, although it was done

  /// The uid of the Buckety for which a request is sent now.
  std::function<std::string(bucket_place const&)> sent_for;
  /// Called when the removal of a bucket is sent, and for each bucket of which something is about to be removed.
  std::function<void(bucket_place const&, std::string const& uid)> on_removal_sent;
  std::function<void(bucket_place const&, bucket const&, sender const&)> on_removal;
  /// Called after each change by the product: create, align, empty, remove.
  std::function<void(char const* what, bucket_place const&)> on_act;
  bool takes_all_as_made = false;  ///< planted: a bucket of somebody else is not seen, and a call to create it says that it made it

 private:
  testing::world& home_;
  int made_ = 0;
};

/// The drivers of one process.
provisioner::driver_maker drivers_of(testing::process& who, cloud& sky);
/// Where the backend is.
std::string store_of(buckety::backend const& one);

}  // namespace kopiur::simulation
