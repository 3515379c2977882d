#pragma once
#include "bench/cluster/client.hpp"

/// From a Buckety to Ready on a real API server and a real object store, compared with a plain client there.
namespace kopiur::bench {

struct bucket_demand {
  std::string name;  ///< names the results, and the objects and buckets: `NAME-N`
  std::string backend = "s3";
  int count = 100, clients = 8;
  std::optional<duration> pause{};  ///< instead one after the other, with this pause
  int at_a_time() const { return pause ? 1 : clients; }
};

/// Creates Bucketys with a defaultAccess, until each is Ready. Prints their number per second, and the time from a Buckety to Ready.
awaitable<void> burst(bench_api& api, bucket_demand what);
/// Creates Bucketys, and does not wait.
awaitable<void> create(bench_api& api, bucket_demand what);

/// A plain client's calls for each Buckety, besides the creation of it, of its access, its Secret and its bucket.
struct calls {
  int reads = 0, patches = 0, statuses = 0, access_patches = 0, access_statuses = 0, events = 0;  ///< of the API
  int heads = 0, lists = 0;                                                                       ///< of the store
};
struct store_account {
  std::string endpoint, key, secret;
};
/// Makes those calls in a separate namespace, which no controller serves, with copies of the objects of an earlier burst.
awaitable<void> plain(bench_api& api, bucket_demand what, calls each, store_account account);

}  // namespace kopiur::bench
