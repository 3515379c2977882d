#pragma once
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "proto/events/kind_state.hpp"
#include "services/gateway/core/hook_policy.hpp"
#include "services/gateway/core/minting.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/core/seals.hpp"

/// The port between the gateway and a cluster: Kubernetes, a local folder, or a simulated one. Expected refusals are values. A failed
/// environment (a full disk, an unreachable API server) is an exception.
namespace kopiur::gateway {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// A new or changed object in its current state. kopiur's own Jobs too (kind `Job`, proto::job in its members).
struct seen_object {
  json::value object;
};
struct gone_object {
  proto::object_ref object;  ///< with its uid
};
/// What is known of a foreign kind. Listed: all its objects have been reported, and known() names them. NotInstalled: they are unknown.
struct kind_seen {
  std::string kind;
  proto::kind_presence presence;
};
/// All existing objects have been reported; any other object does not exist. Of foreign kinds their last kind_seen says so.
struct listed {};
/// The program of a Job reported its progress.
struct job_progress {
  std::string run;
  json::value progress;  ///< as the program reports it
};
/// A page of a list's rows, reported before its Job is reported as Finished; pages count from 1.
struct job_rows {
  std::string run;
  int attempt = 1;
  std::int64_t page = 1;
  proto::output_page rows;
};
using cluster_change = std::variant<seen_object, gone_object, kind_seen, listed, job_progress, job_rows>;

/// All objects, then every change, in order.
class cluster_feed {
 public:
  virtual ~cluster_feed() = default;
  /// Waits forever. Can be cancelled.
  virtual awaitable<cluster_change> next() = 0;
};

class cluster {
 public:
  virtual ~cluster() = default;

  /// Runs the adapter's background work (watches, observing Jobs). Ends by cancellation only, or by an exception.
  virtual awaitable<void> run() = 0;
  virtual std::unique_ptr<cluster_feed> follow() = 0;

  /// The object by a live read.
  virtual awaitable<outcome<json::value>> read(proto::object_ref object) = 0;
  /// The object as last watched, without a request: it may be outdated. Nothing when it was not watched, or was deleted.
  virtual std::optional<json::value> known(object_key const& key) const = 0;
  // Each returns the resulting object; null when it no longer exists. Contracts: proto/events/command.hpp.
  virtual awaitable<outcome<json::value>> create(json::value manifest) = 0;
  virtual awaitable<outcome<json::value>> apply(json::value manifest) = 0;
  virtual awaitable<outcome<json::value>> patch(proto::patch_metadata patch) = 0;
  virtual awaitable<outcome<json::value>> remove(proto::delete_object command) = 0;
  /// Replaces the status of the object that was read: Conflict when it changed since, NotFound when it was deleted or recreated. So a late
  /// or repeated write never overwrites a newer status.
  virtual awaitable<outcome<json::value>> write_status(json::value read, json::value status) = 0;

  /// Creates the Job; returns its uid, also when it already exists. The caller has verified the leases.
  virtual awaitable<outcome<std::string>> create_job(proto::create_job job) = 0;
  /// Stops and removes the Job. Returns when it is proven that nothing of it runs or will run: a later create is refused.
  virtual awaitable<outcome<void>> delete_job(proto::delete_job job) = 0;

  /// Takes the snapshots that a Job will read: contract as above. A cluster without snapshots refuses.
  virtual awaitable<outcome<void>> capture_volumes(proto::capture_volumes command) = 0;
  /// Deletes the snapshots that several Jobs read: contracts as above. A cluster without snapshots has none.
  virtual awaitable<outcome<void>> delete_capture(proto::delete_capture command) = 0;

  /// Creates the Secret, or makes it so again: contract of mint-secret. Its owner was proven to exist.
  virtual awaitable<outcome<json::value>> mint(minted_secret wanted) = 0;
  /// Contract of drop-secret.
  virtual awaitable<outcome<json::value>> drop(proto::drop_secret command) = 0;

  /// The value of a Secret's key, for a header of a hook. It leaves the process only in that header.
  virtual awaitable<outcome<std::string>> secret(std::string ns, std::string name, std::string key) = 0;
  /// Where HTTP requests of hooks may go; nullptr: anywhere, since the author of a hook owns the host.
  virtual hook_policy const* http_policy() const = 0;
  /// The EndpointSlices of a Service, by a live read.
  virtual awaitable<outcome<json::array>> endpoint_slices(std::string ns, std::string service) = 0;
  /// Runs a hook's command, or a user's Job, to its end. A cluster without workloads refuses.
  virtual awaitable<outcome<void>> exec(proto::exec_in_pod command) = 0;
  virtual awaitable<outcome<void>> run_job(proto::run_user_job job) = 0;
  virtual awaitable<outcome<void>> record_event(proto::record_event event) = 0;

  /// A small text that is stored outside the bus (a ConfigMap, a file); nothing when none has that name.
  virtual awaitable<std::optional<std::string>> note(std::string name) = 0;
  virtual awaitable<void> keep_note(std::string name, std::string text) = 0;

  /// Proves the marks on the cluster's objects. Objects are returned as stored: a reader of marks passes them through judged().
  virtual seals const& marks() const = 0;
};

}  // namespace kopiur::gateway
