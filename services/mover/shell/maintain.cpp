#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

awaitable<json::value> maintenance_info(session& run) {
  auto shown = co_await run.program.run(maintenance_info_command());
  require_success(shown, activity::Maintaining);
  auto info = json::parse(shown.out);
  if (!info) throw failed_run(proto::kopia_failure::KopiaUnsupported, "kopia's answer about maintenance is not JSON.");
  co_return std::move(*info);
}

awaitable<void> settle_owner(session& run, proto::maintain_work const& task, json::value const& info) {
  run.result.owner = owner_in(info);
  switch (owner_verdict(run.result.owner, task, run.result.unique_ID.value_or(""))) {
    case ownership::Ours:
      co_return;
    case ownership::Foreign:
      throw failed_run(proto::kopia_failure::NotMaintenanceOwner,
                       "The owner of this repository's maintenance is " + run.result.owner + ".");
    case ownership::Claim:
      require_success(co_await run.program.run(set_owner_command(task.owner)), activity::Maintaining);
  }
  run.result.owner = task.owner;
}

// kopia runs maintenance only for its owner, so the mover connects as the owner.
proto::repository_access as_owner(proto::repository_access access, std::string const& owner) {
  auto sign = owner.find('@');
  access.username = owner.substr(0, sign);
  access.hostname = owner.substr(sign + 1);
  return access;
}

}  // namespace

/// Becomes the owner or fails; runs maintenance; requires the message that it finished; counts the bytes it freed.
awaitable<void> perform(session& run, proto::maintain_work const& task) {
  auto access = as_owner(run.work.repository, task.owner);
  co_await open_repository(run, {access});
  auto before = co_await maintenance_info(run);
  co_await settle_owner(run, task, before);
  run.out.progress({.phase = "maintaining"});
  auto done = co_await run.program.run(maintain_command(task.full));
  require_success(done, activity::Maintaining);
  if (!maintenance_finished(done.err, task.full)) throw failed_run(failure(proto::kopia_failure::Locked, {}, last_line(done.err)));
  run.result.reclaimed_bytes = reclaimed_bytes(before, co_await maintenance_info(run));
}

}  // namespace kopiur::mover
