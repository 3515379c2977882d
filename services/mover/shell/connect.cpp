#include "services/mover/core/password.hpp"
#include "services/mover/core/policy.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

// Compares the id that kopia reports with the id in the storage: they differ when a cache belongs to another repository.
awaitable<void> compare_status(session& run) {
  auto status = co_await run.program.run(status_command());
  require_success(status, activity::Connecting);
  if (auto other = other_repository(run.result.unique_ID, status_id(status.out).value_or("unknown"))) throw failed_run(*other);
}

awaitable<void> keep_everything(session& run) {
  require_success(co_await run.program.run(keep_everything_command()), activity::Creating);
  if (!keeps_everything(co_await show_policy(run, "")))
    throw failed_run(proto::kopia_failure::Unknown, "kopia's own retention could not be switched off, so nothing is backed up here.");
}

// Sets up a new repository. kopia makes its creator the maintenance owner, a name that no later Maintenance would recognise, so connect
// sets the default owner.
awaitable<void> furnish(session& run) {
  co_await keep_everything(run);
  run.result.owner = default_owner(run.result.unique_ID.value_or(""));
  require_success(co_await run.program.run(set_owner_command(run.result.owner)), activity::Creating);
}

std::optional<std::string> unfit(session const& run) {
  auto& variables = run.from.variables;
  auto password = variables.find("KOPIA_PASSWORD");
  return unfit_password(password == variables.end() ? "" : password->second, variables.contains("KOPIUR_PASSWORD_CUT"));
}

}  // namespace

/// Opens or creates the repository, compares ids, and disables kopia's own retention: a new repository starts with a policy that deletes
/// all but about 10 snapshots.
awaitable<void> perform(session& run, proto::connect_work const& task) {
  connect_options as{run.work.repository};
  auto why = unfit(run);
  if (task.create && task.create->enabled)
    co_await open_or_create_repository(run, as, *task.create, [&] {
      if (why) throw failed_run(proto::kopia_failure::PasswordMissing, *why);
    });
  else
    co_await open_repository(run, as);
  run.result.password_unfit = why;
  if (run.result.created) co_return co_await furnish(run);
  co_await compare_status(run);
  if (run.work.repository->read_only || keeps_everything(co_await show_policy(run, ""))) co_return;
  co_await keep_everything(run);
}

}  // namespace kopiur::mover
