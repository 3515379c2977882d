#include <boost/asio.hpp>

#include "common/config/manifest.hpp"
#include "proto/codec.hpp"
#include "services/cli/core/coming.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/health.hpp"
#include "services/cli/shell/disk_space.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/session.hpp"

/// status, next, explain retention.
namespace kopiur::cli {

namespace asio = boost::asio;

namespace {

asio::awaitable<int> status(session& session, settings settings) {
  co_await session.until_listed();
  auto found = manifest_problems(session.documents("ManifestFolder", {.everywhere = true}));
  if (settings.bus.empty())
    std::ranges::copy_if(room(settings.data), std::back_inserter(found), [](auto& one) { return one.mood != mood::good; });
  std::ranges::move(health(session.objects(), settings.ns, settings.all_namespaces, session.now()), std::back_inserter(found));
  print(settings, findings_table(found), findings_json(found),
        "There is nothing here yet: apply a Repository, a BackupConfig and a BackupSchedule (see examples/single-host), or a Buckety.");
  bool bad = worst(found) == mood::bad;
  if (settings.shows_table() && !found.empty()) say("\n" + summary(found), bad ? tone::bad : tone::good);
  co_return bad ? failed : done;
}

asio::awaitable<int> next(session& session, settings settings, std::size_t most) {
  co_await session.until_listed();
  auto slots = coming(session.objects(), settings.ns, settings.all_namespaces, session.now(), most);
  print(settings, coming_table(slots, session.now()), coming_json(slots),
        "Nothing is scheduled" + (settings.all_namespaces ? std::string(".") : " in namespace " + settings.ns + "."));
  co_return done;
}

std::optional<proto::retention_policy> retention_in(std::string const& file, std::string const& config) {
  if (file.empty()) return {};
  auto manifests = config::read_manifest_file(file);
  if (!manifests) throw complaint(usage, manifests.error().text());
  for (auto& each : *manifests) {
    if (each.content.text("kind") != proto::backup_config::info.kind || each.content.text("metadata.name") != config) continue;
    auto read = json::decode<proto::backup_config>(each.content);
    if (!read) throw complaint(usage, each.blame(read.error().where, read.error().what).text());
    return read->spec.retention.value_or(proto::retention_policy{});
  }
  throw complaint(usage, file + " holds no " + std::string(proto::backup_config::info.kind) + " " + config + ".");
}

asio::awaitable<int> explain(session& session, settings settings, std::string config, std::string file) {
  auto instead = retention_in(file, config);
  co_await session.until_listed();
  auto* found = controller::find(session.objects().of<proto::backup_config>(), settings.ns, config);
  if (!found) throw complaint(not_found, "There is no BackupConfig " + settings.ns + "/" + config + ".");
  auto judged = fates(session.objects(), *found, instead, session.now());
  if (!judged) throw complaint(failed, judged.error());
  print(settings, fates_table(*judged, session.now()), fates_json(*judged),
        "BackupConfig " + config + " has no Backups that could be judged.");
  if (settings.shows_table() && !judged->empty()) say("\n" + fates_summary(*judged, !file.empty()));
  co_return done;
}

}  // namespace

int status_command(settings const& settings) {
  return with_session(settings, [=](session& session) { return status(session, settings); });
}

int next_command(settings const& settings, std::size_t most) {
  return with_session(settings, [=](session& session) { return next(session, settings, most); });
}

int explain_command(settings const& settings, std::string const& config, std::string const& instead_file) {
  return with_session(settings, [=](session& session) { return explain(session, settings, config, instead_file); });
}

}  // namespace kopiur::cli
