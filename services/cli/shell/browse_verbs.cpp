#include <boost/asio.hpp>
#include <cstdio>

#include "common/process/lines.hpp"
#include "proto/codec.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/embedded/up.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/session.hpp"
#include "services/gateway/local/reading.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

/// ls, cat: a mover of this terminal reads the repository. It writes nothing and creates no run.
namespace kopiur::cli {

namespace asio = boost::asio;
using gateway::local::reading;
using task = asio::awaitable<void>;

namespace {

/// Receives the mover's stdout as it arrives.
using sink = std::function<void(std::string_view)>;

proto::backup const& with_snapshot(session& session, std::string const& ns, std::string const& name) {
  auto* object = controller::find(session.objects().of<proto::backup>(), ns, name);
  if (!object) throw complaint(not_found, "There is no Backup " + ns + "/" + name + ".");
  if (!object->status.snapshot || !object->status.resolved || !object->status.resolved->repository)
    throw complaint(failed, "Backup " + name + " has no snapshot (yet): run kopiur get backups " + name + ".");
  return *object;
}

proto::create_job order(session& session, proto::backup const& object, std::string path, bool content) {
  auto& in = *object.status.resolved->repository;
  auto repository = rules::find_repository(session.objects(), {.kind = in.kind, .name = in.name, .namespace_ = in.namespace_},
                                           object.metadata.namespace_);
  if (!repository) throw complaint(not_found, "The repository " + in.name + " of this Backup does not exist: apply its manifest again.");
  auto found = plans::connection_to(session.objects(), *repository, object.metadata.namespace_);
  if (!found) throw complaint(failed, found.error().why.message);
  auto& way = *found;
  way.access.read_only = true;
  proto::kopia_task work{.run = "browse", .repository = std::move(way.access)};
  work.task = proto::browse_work{.snapshot_ID = object.status.snapshot->kopia_snapshot_ID, .path = std::move(path), .content = content};
  proto::create_job command{.run = "browse",
                            .namespace_ = object.metadata.namespace_,
                            .body = std::move(work),
                            .secrets = std::move(way.secrets),
                            .volumes = std::move(way.volumes)};
  plans::state_needs(command);
  return command;
}

task keep_end(process::child& mover, process::ending& end) { end = co_await mover.wait(); }

asio::awaitable<int> run_mover(process::command command, reading const& reading, sink out) {
  auto loop = co_await asio::this_coro::executor;
  process::child mover(loop, command);
  process::ending end;
  std::string said;
  app::nursery all(loop);
  all.spawn(process::drain(mover.out(), std::move(out)));
  all.spawn(process::drain(mover.err(), [&](std::string_view bytes) { said += bytes; }));
  all.spawn(keep_end(mover, end));
  co_await all.join();
  auto result = reading.result();
  if (end.success() && result && !result->failure) co_return done;
  if (result && result->failure) throw complaint(failed, result->failure->class_.json_text() + ": " + result->failure->message);
  throw complaint(failed, "The mover ended without a message: " + said);
}

asio::awaitable<int> browse(session& session, settings settings, std::string backup, proto::browse_work what, sink out) {
  if (!settings.bus.empty())
    throw complaint(usage, "ls and cat read the repository from the host on which kopiur up runs: call them there, without --bus.");
  co_await session.until_listed();
  auto mover = embedded::find_mover(own_path());
  if (!mover) throw complaint(failed, mover.error());
  auto spec = order(session, with_snapshot(session, settings.ns, backup), std::move(what.path), what.content);
  reading one(settings.data);
  auto command = one.prepare(gateway::local::movers_of_host(*mover), spec);
  if (!command) throw complaint(failed, command.error().message);
  co_return co_await run_mover(std::move(*command), one, std::move(out));
}

table listing(std::vector<proto::snapshot_entry> const& entries) {
  table shown{.columns = {"MODE", "SIZE", "MODIFIED", "NAME"}};
  for (auto& each : entries)
    shown.rows.push_back({each.type + " " + each.mode,
                          size_text(each.size_bytes),
                          to_text(std::chrono::floor<std::chrono::seconds>(each.modified)),
                          {each.name, each.type == "d" ? tone::strong : tone::plain}});
  return shown;
}

asio::awaitable<int> list(session& session, settings settings, std::string backup, std::string path) {
  std::vector<proto::snapshot_entry> entries;
  process::line_splitter lines([&](std::string_view line) {
    auto read = json::read<proto::output_line>(line);
    if (auto* entry = read ? std::get_if<proto::snapshot_entry>(&*read) : nullptr) entries.push_back(std::move(*entry));
  });
  auto code = co_await browse(session, settings, std::move(backup), {.path = path.empty() ? "/" : path},
                              [&](std::string_view bytes) { lines.feed(bytes); });
  lines.finish();
  print(settings, listing(entries), json::encode(entries), "The folder is empty.");
  co_return code;
}

void to_stdout(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) throw complaint(failed, "The output cannot be written.");
}

}  // namespace

int list_command(settings const& settings, std::string const& backup, std::string const& path) {
  return with_session(settings, [=](session& session) { return list(session, settings, backup, path); });
}

int print_file_command(settings const& settings, std::string const& backup, std::string const& path) {
  return with_session(settings,
                      [=](session& session) { return browse(session, settings, backup, {.path = path, .content = true}, to_stdout); });
}

}  // namespace kopiur::cli
