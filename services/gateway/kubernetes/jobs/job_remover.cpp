#include "services/gateway/kubernetes/jobs/job_remover.hpp"

#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/jobs/job_grants.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

namespace {
constexpr int tries = 5;
}  // namespace

awaitable<outcome<void>> job_remover::remove(proto::delete_job command) {
  auto name = job_name(command.run, command.attempt);
  if (!name) co_return std::unexpected(name.error());
  auto key = key_to<proto::job>(command.namespace_, *name);
  auto ended = co_await end(key, command);
  if (!ended) co_return std::unexpected(ended.error());
  auto made_from = ended->is_null() ? std::nullopt : command_of(*ended, settings_.seal_secret);
  // The Job knows best: the command may be of a service that no longer has the plan.
  auto granted = made_from ? refs_of(grants_of(made_from->body)) : command.grants;
  if (ended->is_null()) {
    auto proven = co_await until_no_pod_runs(in_, key, command.run);
    if (!proven) co_return proven;
    co_return co_await revoke(in_.objects, command.run, std::move(granted), settings_.seal_secret);
  }
  bool brought_volumes = brings_volumes(*ended), held = is_held(*ended);
  auto uid = std::string(uid_of(*ended));
  if (auto proven = co_await until_it_ended(key, command.run, std::move(*ended), !made_from); !proven) co_return proven;
  if (auto done = co_await revoke(in_.objects, command.run, std::move(granted), settings_.seal_secret); !done) co_return done;
  if (brought_volumes)
    if (auto gone = co_await remove_pods(in_, key, command.run); !gone) co_return gone;
  auto gone = co_await in_.objects.remove({.object = proto::ref_to<proto::secret>(key.namespace_, key.name), .annotations = {}});
  if (!gone && gone.error().code != answer_code::NotFound) co_return std::unexpected(gone.error());
  if (held) co_return co_await release(key, uid, command);
  co_return outcome<void>();
}

/// `ended`: the Job, marked as removed. A tombstone stands for a Job that is deleted; its pods may exist.
awaitable<outcome<void>> job_remover::until_it_ended(object_key const& key, std::string const& run, json::value ended, bool is_tombstone) {
  if (is_tombstone) {
    if (auto proven = co_await until_no_pod_runs(in_, key, run); !proven) co_return proven;
  } else if (registry_.is_over(key, ended)) {
    registry_.drop(key);
  } else {
    registry_.take_job(std::move(ended));  // observed to its end, whether or not the watch has reported it
  }
  co_return co_await registry_.until_dropped(key);
}

/// Its end is recorded: removes the finalizer. If a user deleted the Job, it is deleted now, and a tombstone replaces it.
awaitable<outcome<void>> job_remover::release(object_key const& key, std::string uid, proto::delete_job const& command) {
  auto free = co_await in_.objects.patch({.object = proto::ref_to<proto::job>(key.namespace_, key.name, uid),
                                          .remove_finalizers = {std::string(proto::finalizer::mover_result)}});
  if (!free && free.error().code != answer_code::NotFound) co_return std::unexpected(free.error());
  if (free && !free->is_null() && !is_terminating(*free)) co_return outcome<void>();
  for (auto since = in_.time.now(); in_.time.now() - since < end_may_take; co_await in_.time.sleep_for(job_look)) {
    auto there = co_await in_.objects.read(proto::ref_to<proto::job>(key.namespace_, key.name, uid));
    if (there) continue;
    if (there.error().code != answer_code::NotFound) co_return std::unexpected(there.error());
    auto marked = co_await end(key, command);
    if (!marked) co_return std::unexpected(marked.error());
    co_return outcome<void>();
  }
  co_return still_there(key);
}

/// A namespace that is being deleted accepts no new objects, so it needs no tombstone.
awaitable<bool> job_remover::is_closed(std::string ns) {
  auto there = co_await in_.objects.read(proto::ref_to<proto::core_namespace>("", std::move(ns)));
  co_return there&& is_terminating(*there);
}

/// The Job, marked as removed by kopiur. A missing Job is replaced by a tombstone; null when none can be created any more.
awaitable<outcome<json::value>> job_remover::end(object_key const& key, proto::delete_job const& command) {
  for (int left = tries;; --left) {
    auto there = co_await in_.objects.read({key.kind, key.namespace_, key.name, ""});
    if (!there && there.error().code != answer_code::NotFound) co_return there;
    auto done = there ? co_await ended_by_us(key, command, std::move(*there))
                      : co_await in_.objects.create(tombstone(command.run, key.name, key.namespace_, settings_, in_.time.now(), kept_));
    bool marked = done && !removed_at(*done).empty();
    if (marked || left == 0) co_return done;
    if (done) continue;  // it was just created
    auto code = done.error().code;
    if (!there && code == answer_code::Forbidden && co_await is_closed(key.namespace_)) co_return json::value();
    if (code != answer_code::Conflict && code != answer_code::Ambiguous && code != answer_code::NotFound) co_return done;
    if (!there && code == answer_code::NotFound) co_return json::value();  // its whole namespace was deleted
  }
}

awaitable<outcome<json::value>> job_remover::ended_by_us(object_key const& key, proto::delete_job const& command, json::value there) {
  if (label(there, ours("run")) != command.run)
    co_return refuse(answer_code::Forbidden, key.text() + " does not belong to the run " + command.run + ": kopiur leaves it alone.");
  if (!removed_at(there).empty()) co_return there;
  co_return co_await in_.objects.merge(key, removal(there, !registry_.is_over(key, there), in_.time.now(), kept_));
}

}  // namespace kopiur::gateway::kubernetes
