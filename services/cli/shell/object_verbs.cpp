#include <boost/asio.hpp>
#include <filesystem>

#include "common/config/manifest.hpp"
#include "proto/kopiur/names.hpp"
#include "services/cli/core/accepting.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/cli/shell/named.hpp"
#include "services/cli/shell/output.hpp"
#include "services/cli/shell/waiting.hpp"

/// get, backups, apply, delete, cancel, accept, wait.
namespace kopiur::cli {

namespace asio = boost::asio;
using proto::answer_code;

namespace {

json::value list_of(std::vector<json::value> items) {
  json::value list = json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", json::array{}}};
  for (auto& each : items) list.find("items")->push(std::move(each));
  return list;
}

void print_field(json::value const& object, std::string const& field) {
  auto* content = object.at(field);
  if (!content || content->is_null()) return;
  say(content->as_string() ? *content->as_string() : json::dump(*content));
}

asio::awaitable<int> get(session& session, settings settings, proto::kind_info kind, std::string name, std::string field) {
  co_await session.until_listed();
  auto which = settings.select(name);
  if (!name.empty()) {
    auto object = there_or_complain(session, {std::string(kind.kind), namespace_of(kind, settings.ns), name, ""});
    if (!field.empty()) print_field(object, field);
    if (!field.empty()) co_return done;
    if (!settings.shows_table()) co_return print(settings, object), done;
  }
  auto items = session.documents(kind.kind, which);
  if (!field.empty()) {
    for (auto& each : items) print_field(each, field);
    co_return done;
  }
  auto shown = table_of(kind, items, settings.all_namespaces, settings.output == "wide", session.now());
  print(settings, shown, list_of(std::move(items)),
        "No " + std::string(kind.plural) +
            (settings.all_namespaces || kind.scope == proto::kind_scope::Cluster ? "." : " in namespace " + settings.ns + "."));
  co_return done;
}

asio::awaitable<int> backups(session& session, settings settings, std::string config) {
  co_await session.until_listed();
  auto items = session.documents(proto::backup::info.kind, settings.select());
  if (!config.empty()) std::erase_if(items, [&](auto& one) { return one.text("spec.configRef.name") != config; });
  print(settings, backups_table(session.objects(), settings.select(), config, session.now()), list_of(std::move(items)),
        "No Backups yet. Make one with: kopiur backup now CONFIG");
  co_return done;
}

std::vector<config::manifest> read_all(std::vector<std::string> const& files) {
  std::vector<config::manifest> found;
  auto take = [&](std::filesystem::path const& file) {
    auto read = config::read_manifest_file(file);
    if (!read) throw complaint(usage, read.error().text());
    std::ranges::move(*read, std::back_inserter(found));
  };
  for (auto& each : files) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(each, unknown)) {
      take(each);
      continue;
    }
    std::vector<std::filesystem::path> inside;
    for (auto& entry : std::filesystem::recursive_directory_iterator(each))
      if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml" || entry.path().extension() == ".json")
        inside.push_back(entry.path());
    std::ranges::sort(inside);
    for (auto& file : inside) take(file);
  }
  if (found.empty()) throw complaint(usage, "The files that -f names hold no object.");
  return found;
}

std::string title(json::value const& object) { return std::string(object.text("kind")) + " " + std::string(object.text("metadata.name")); }

asio::awaitable<int> apply(session& session, settings settings, std::vector<config::manifest> manifests) {
  int refused = 0;
  for (auto& each : manifests) {
    auto kind = find_kind(each.content.text("kind"));
    bool namespaced = !kind || kind->scope == proto::kind_scope::Namespaced;
    if (namespaced && each.content.text("metadata.namespace").empty() && each.content.find("metadata"))
      each.content.find("metadata")->set("namespace", settings.ns);
    auto said = co_await session.ask(proto::apply_object{each.content});
    if (said.code == answer_code::Ok)
      say(title(each.content) + " applied");
    else
      ++refused, std::fprintf(stderr, "%s\n", each.blame("", title(each.content) + " refused: " + said.message).text().c_str());
  }
  co_return refused ? failed : done;
}

asio::awaitable<int> remove(session& session, settings settings, proto::kind_info kind, std::vector<std::string> names, bool wait) {
  co_await session.until_listed();
  for (auto& name : names) {
    auto object = named_or_complain(session, settings, kind, name);
    co_await session.demand(proto::delete_object{object, {}}, object.kind + " " + name + " cannot be deleted");
    if (wait)
      co_await wait_until_gone(session, settings, object);
    else
      say(object.kind + " " + name + " is being deleted");
  }
  co_return done;
}

asio::awaitable<int> cancel(session& session, settings settings, proto::kind_info kind, std::string name) {
  co_await session.until_listed();
  auto object = named_or_complain(session, settings, kind, name);
  if (auto end = ended(session.objects(), object)) throw complaint(failed, "There is nothing to cancel: " + end->text);
  proto::patch_metadata patch{.object = object};
  patch.annotations[std::string(proto::annotation::cancel_run)] = "asked for with kopiur cancel";
  co_await session.demand(std::move(patch), object.kind + " " + name + " cannot be cancelled");
  say(object.kind + " " + name + " is being cancelled: it ends as Failed once its mover has stopped.");
  co_return done;
}

asio::awaitable<int> accept(session& session, settings settings, std::string name) {
  co_await session.until_listed();
  auto object = proto::ref_to<proto::backup>(settings.ns, name);
  object.uid = there_or_complain(session, object).text("metadata.uid");
  auto what = acceptable(session.objects(), settings.ns, name);
  if (!what) throw complaint(failed, what.error());
  proto::patch_metadata patch{.object = object};
  patch.annotations[std::string(proto::annotation::accept_shrink)] = what->snapshot;
  co_await session.demand(std::move(patch), "Backup " + name + " cannot be accepted");
  say(accepted_text(name, *what));
  co_return done;
}

}  // namespace

int get_command(settings const& settings, std::string const& kind, std::string const& name, std::string const& field) {
  return with_session(settings, [=](session& session) { return get(session, settings, kind_or_complain(find_kind(kind)), name, field); });
}

int backups_command(settings const& settings, std::string const& config) {
  return with_session(settings, [=](session& session) { return backups(session, settings, config); });
}

int apply_command(settings const& settings, std::vector<std::string> const& files) {
  return with_session(settings, [=](session& session) { return apply(session, settings, read_all(files)); });
}

int delete_command(settings const& settings, std::string const& kind, std::vector<std::string> const& names, bool wait) {
  return with_session(settings,
                      [=](session& session) { return remove(session, settings, kind_or_complain(find_kind(kind)), names, wait); });
}

int cancel_command(settings const& settings, std::string const& kind, std::string const& name) {
  return with_session(settings, [=](session& session) { return cancel(session, settings, kind_or_complain(find_kind(kind)), name); });
}

int accept_command(settings const& settings, std::string const& name) {
  return with_session(settings, [=](session& session) { return accept(session, settings, name); });
}

int wait_command(settings const& settings, std::string const& kind, std::string const& name, bool deleted) {
  return with_session(settings, [=](session& session) {
    auto known = kind_or_complain(find_kind(kind));
    proto::object_ref object{std::string(known.kind), namespace_of(known, settings.ns), name, ""};
    return deleted ? wait_until_gone(session, settings, object) : wait_for(session, settings, object);
  });
}

}  // namespace kopiur::cli
