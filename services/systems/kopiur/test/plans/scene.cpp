#include "services/systems/kopiur/test/plans/scene.hpp"

#include "services/systems/kopiur/plans/restore.hpp"

#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"

namespace kopiur::plans {

using namespace proto;

namespace {

std::string with_comma(std::string_view text) { return text.empty() ? "" : "," + std::string(text); }
std::string ns_of(std::string_view kind) {
  auto has_none = []<class T>(std::type_identity<T>) { return T::info.scope == kind_scope::Cluster; };
  return visit_kind(controller::cached_kinds{}, kind, has_none, false) ? "" : "prod";
}

}  // namespace

scene::scene() {
  objects.listed = true;
  put("Secret", "password", "", "");
  put("Repository", "nas", "",
      R"("spec":{"backend":{"filesystem":{"path":"/srv/nas"}},"encryption":{"passwordSecretRef":{"name":"password"}}},)"
      R"("status":{"phase":"Ready","uniqueID":"id-nas","catalog":{"lastRefreshAt":"2026-01-01T00:00:00Z"}})");
  list("nas", "listed", 1);
}

void scene::put(std::string_view kind, std::string_view name, std::string_view metadata, std::string_view rest) {
  auto ns = ns_of(kind);
  auto body = R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":")" + std::string(kind) + R"(","metadata":{"name":")" +
              std::string(name) + R"(","namespace":")" + ns + R"(","uid":"uid-)" + std::string(name) +
              R"(","creationTimestamp":"2026-01-01T00:00:00Z")" + with_comma(metadata) + "}" + with_comma(rest) + "}";
  auto done = controller::apply(objects, subjects::resource("c", kind, ns, name), &body);
  ASSERT_TRUE(done) << body << done.error().text();
}

void scene::take_away(std::string_view kind, std::string_view name) {
  ASSERT_TRUE(controller::apply(objects, subjects::resource("c", kind, ns_of(kind), name), nullptr));
}

void scene::know(std::string_view kind, kind_presence presence) {
  auto body = json::write(kind_state{presence, now});
  ASSERT_TRUE(controller::apply(objects, subjects::kind_state("c", kind), &body));
}

void scene::put_config(std::string_view name, std::string_view more, std::string_view metadata) {
  put("BackupConfig", name, metadata,
      R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}])" + with_comma(more) + "}");
}

void scene::put_claim(std::string_view name, std::string_view metadata, std::string_view spec, std::string_view phase) {
  put("PersistentVolumeClaim", name, metadata,
      R"("spec":{)" + std::string(spec) + R"(},"status":{"phase":")" + std::string(phase) + R"("})");
}

void scene::put_saved(std::string_view name, std::string_view snapshot, std::string_view path, std::string_view in, std::string_view more) {
  auto text = [](std::string_view it) { return "\"" + std::string(it) + "\""; };
  put("Backup", name, more,
      R"("spec":{"configRef":{"name":"photos"},"sourcePath":)" + text(path) +
          R"(},"status":{"phase":"Succeeded","origin":"manual","snapshot":{"kopiaSnapshotID":)" + text(snapshot) +
          R"(,"identity":{"username":"photos","hostname":"prod","sourcePath":)" + text(path) +
          R"(}},"timing":{"endTime":"2026-02-01T00:00:00Z"},"resolved":{"repository":{"kind":"Repository","name":)" + text(in) +
          R"(,"namespace":"prod","uniqueID":"id-)" + std::string(in) + "\"}}}");
  auto& known = listed[{"uid-" + std::string(in), {"photos", "prod", std::string(path)}}];
  known.list = lists["uid-" + std::string(in)].list, known.whole = true;
  known.snapshots.push_back({std::string(snapshot), *instant_from("2026-02-01T00:00:00Z")});
}

void scene::list(std::string_view repository, std::string run, std::uint64_t after) {
  runs[run] = {.run = run, .order = {.plan = "discover"}, .stage = run_stage::FollowThroughComplete};
  auto& head = lists["uid-" + std::string(repository)];
  head = {
      .uid = "uid-" + std::string(repository), .unique_ID = "id-" + std::string(repository), .list = std::move(run), .begun_after = after};
}

void scene::put_listed(std::string_view repository, identity who, std::vector<listed_snapshot> snapshots) {
  auto uid = "uid-" + std::string(repository);
  listed[{uid, std::move(who)}] = {.list = lists[uid].list, .whole = true, .snapshots = std::move(snapshots)};
}

cluster_view scene::look() const {
  return {.objects = objects,
          .run = [this](std::string const& id) { return runs.contains(id) ? &runs.at(id) : nullptr; },
          .runs_of =
              [this](std::string const& id, std::string_view plan) {
                std::vector<run_state const*> found;
                for (auto& [_, each] : runs)
                  if (controller::concerned(each).contains(id) && each.order.plan == plan) found.push_back(&each);
                return found;
              },
          .answer =
              [this](std::string_view verb, std::string_view key) {
                auto found = answers.find(std::string(verb) + " " + std::string(key));
                return found == answers.end() ? nullptr : &found->second;
              },
          .list = [this](std::string const& uid) { return lists.contains(uid) ? &lists.at(uid) : nullptr; },
          .listed =
              [this](list_query const& what) {
                return &listed.try_emplace(what, listed_snapshots{.list = lists[what.repository].list, .whole = true}).first->second;
              },
          .lease = [this](std::string const& key) { return leases.contains(key) ? &leases.at(key) : nullptr; },
          .cluster = "c",
          .can = can,
          .now = now};
}

actions scene::reconcile_it(std::string_view kind, std::string_view name) const {
  return mover_orchestration::reconcile(look(), {std::string(kind), ns_of(kind), std::string(name), "uid-" + std::string(name)});
}

preparation scene::prepare_it(std::string_view plan, std::string_view kind, std::string_view name, json::value parameters) const {
  run_state run{.run = "r",
                .cluster = "c",
                .order = {.plan = std::string(plan), .object = {std::string(kind), "prod", std::string(name), "uid-" + std::string(name)}}};
  run.order.parameters = std::move(parameters);
  if (auto* object = plan == "restore" ? controller::find(objects.of<restore>(), "prod", std::string(name)) : nullptr)
    run.run = restore_run(*object, std::string(run.order.parameters.text("claimUid")));
  run.ordered_at = run.changed_at = now;
  return find_plan(plan)->prepare(look(), run);
}

std::string said(preparation const& what) {
  struct word {
    std::string operator()(ready const&) const { return "ready"; }
    std::string operator()(wait const& one) const { return "wait " + one.why.reason; }
    std::string operator()(refused const& one) const { return "refused " + one.failure.class_.json_text(); }
    std::string operator()(nothing_to_do const&) const { return "nothing"; }
  };
  return std::visit(word{}, what);
}

std::vector<std::string> asked(actions const& needs) {
  std::vector<std::string> all;
  for (auto& each : needs.asks) {
    auto* command = std::get_if<gateway_command>(&each.what);
    if (!command) continue;
    std::string text(std::visit([](auto& one) { return one.member; }, *command));
    if (auto* patch = std::get_if<patch_metadata>(command)) {
      for (auto& one : patch->add_finalizers) text += " +" + one.substr(one.find('/') + 1);
      for (auto& one : patch->remove_finalizers) text += " -" + one.substr(one.find('/') + 1);
    }
    if (auto* gone = std::get_if<delete_object>(command)) text += " " + gone->object.name;
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace kopiur::plans
