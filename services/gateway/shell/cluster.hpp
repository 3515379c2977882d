#pragma once
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/hook_policy.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/core/seals.hpp"

/// What the gateway needs from a cluster: Kubernetes, a local folder, or a simulated one. Expected refusals are values; a world that failed
/// (a full disk, an API server that is away) is an exception.
namespace kopiur::gateway {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// An object as it is now: new or changed. A Job of ours too (kind `Job`, proto::job in its members).
struct seen_object {
  json::value object;
};
struct gone_object {
  proto::object_ref object;  ///< with its uid
};
/// All objects that there are have been told; what was not is gone.
struct listed {};
/// A mover said how far it is.
struct job_progress {
  std::string run;
  proto::work_progress progress;
};
/// A page of a list's rows, told before its Job is told as Finished; pages count from 1.
struct job_rows {
  std::string run;
  int attempt = 1;
  std::int64_t page = 1;
  proto::row_page rows;
};
using cluster_change = std::variant<seen_object, gone_object, listed, job_progress, job_rows>;

/// Everything, then every change, in order.
class cluster_feed {
 public:
  virtual ~cluster_feed() = default;
  /// Waits forever. Can be cancelled.
  virtual awaitable<cluster_change> next() = 0;
};

class cluster {
 public:
  virtual ~cluster() = default;

  /// What the adapter does by itself (watching, following Jobs). Ends by cancellation only, or by an exception.
  virtual awaitable<void> run() = 0;
  virtual std::unique_ptr<cluster_feed> follow() = 0;

  /// The object as the cluster itself has it now.
  virtual awaitable<outcome<json::value>> read(proto::object_ref object) = 0;
  /// The same as it was last told to us, without a request: it may be behind. Nothing where it was not told, or has gone.
  virtual std::optional<json::value> known(object_key const& key) const = 0;
  // Each returns the object as it is afterwards; null when it is gone. Contracts: proto/events/command.hpp.
  virtual awaitable<outcome<json::value>> create(json::value manifest) = 0;
  virtual awaitable<outcome<json::value>> apply(json::value manifest) = 0;
  virtual awaitable<outcome<json::value>> patch(proto::patch_metadata patch) = 0;
  virtual awaitable<outcome<json::value>> remove(proto::delete_object command) = 0;
  /// Replaces the status of the object as it was read: Conflict when it was changed since, NotFound when it is gone or was made again. So a
  /// write that arrives late, or twice, never covers a newer status.
  virtual awaitable<outcome<json::value>> write_status(json::value read, json::value status) = 0;

  /// Makes the Job; the uid of it, also when it was there already. Leases were proved by the caller.
  virtual awaitable<outcome<std::string>> create_job(proto::create_job job) = 0;
  /// Ends and removes the Job. Returns when it is proven that nothing of it runs, nor will: a create that comes later is refused.
  virtual awaitable<outcome<void>> delete_job(proto::delete_job job) = 0;

  /// Takes the snapshots that a Job is going to read: contract as above. A cluster without snapshots refuses.
  virtual awaitable<outcome<void>> capture_volumes(proto::capture_volumes command) = 0;
  /// Takes away what several Jobs read: contracts as above. A cluster without snapshots has none.
  virtual awaitable<outcome<void>> delete_capture(proto::delete_capture command) = 0;

  /// The value of a Secret's key, for a header of a hook. Never leaves the process but there.
  virtual awaitable<outcome<std::string>> secret(std::string ns, std::string name, std::string key) = 0;
  /// Where HTTP requests of hooks may go; nullptr: anywhere, since the author of a hook owns the host.
  virtual hook_policy const* http_policy() const = 0;
  /// The EndpointSlices of a Service as they are now.
  virtual awaitable<outcome<json::array>> endpoint_slices(std::string ns, std::string service) = 0;
  /// Runs a hook's command, or a user's Job, to its end. A cluster without workloads refuses.
  virtual awaitable<outcome<void>> exec(proto::exec_in_pod command) = 0;
  virtual awaitable<outcome<void>> run_job(proto::run_user_job job) = 0;
  virtual awaitable<outcome<void>> record_event(proto::record_event event) = 0;

  /// A small text that is kept outside the bus (a ConfigMap, a file); nothing when there is none of that name.
  virtual awaitable<std::optional<std::string>> note(std::string name) = 0;
  virtual awaitable<void> keep_note(std::string name, std::string text) = 0;

  /// What proves our marks on its objects. Objects come as they are stored: a reader of marks takes judged() of them.
  virtual seals const& marks() const = 0;
};

}  // namespace kopiur::gateway
