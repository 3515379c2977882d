#include "services/gateway/local/local_cluster.hpp"

#include <boost/asio.hpp>
#include <ranges>

#include "common/json/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/kinds.hpp"
#include "services/gateway/admission/admission.hpp"
#include "services/gateway/core/objects.hpp"
#include "services/gateway/core/seal.hpp"
#include "services/gateway/local/folder_watch.hpp"
#include "services/gateway/local/job_start.hpp"
#include "services/gateway/local/secret_files.hpp"

namespace kopiur::gateway::local {

using namespace std::chrono_literals;
using proto::answer_code;

namespace {

constexpr duration poll = 2s;
constexpr duration sweep_period = 24h;

local_settings completed(local_settings settings) {
  if (!settings.report) settings.report = [](std::string const&) {};
  if (!settings.check) settings.check = [](auto const&, auto const*) { return std::vector<finding>(); };
  return settings;
}

std::string sentence(manifest_problem const& problem) {
  return problem.file + (problem.line ? ":" + std::to_string(problem.line) : "") + ": " +
         (problem.field.empty() ? "" : problem.field + ": ") + problem.message;
}

/// The secret that seals marks, created at the first start. If the file is lost, a new secret is created and older marks prove nothing.
std::string kept_secret(fs::path const& path) {
  if (auto there = files::read_file(path); there && !there->empty()) return *std::move(there);
  auto fresh = new_seal_secret();
  files::write_file(path, fresh, 0600);
  return fresh;
}

}  // namespace

local_cluster::local_cluster(asio::any_io_executor loop, clock& time, local_settings settings)
    : loop_(loop),
      time_(time),
      settings_(completed(std::move(settings))),
      hub_(loop),
      store_(settings_.data, time),
      marks_(kept_secret(settings_.data / "seal")),
      volumes_(store_, marks_, settings_.data),
      events_(settings_.data / "events"),
      manifests_(settings_.manifests, settings_.data / "applied.json", store_, settings_.check),
      jobs_({.loop = loop,
             .time = time,
             .store = store_,
             .tell = [this](cluster_change change) { hub_.tell(change); },
             .report = settings_.report,
             .data = settings_.data,
             .settings = settings_.mover,
             .secrets = secrets_folder(settings_.data)}) {
  for (auto const& [_, object] : store_.all()) judged_.take(object);
  store_.on_change([this](object_key const& key, std::string const& uid, json::value const* now) { told(key, uid, now); });
  if (!settings_.manifests.empty()) scan();
  settled(json::value());
}

void local_cluster::told(object_key const& key, std::string const& uid, json::value const* now) {
  if (key.kind == proto::persistent_volume_claim::info.kind || key.kind == proto::persistent_volume::info.kind) unsettled_ = true;
  if (now) {
    judged_.take(*now);
    hub_.tell(seen_object{*now});
  } else {
    judged_.drop(key);
    hub_.tell(gone_object{{key.kind, key.namespace_, key.name, uid}});
  }
}

// Binding follows from a change, and may cause the next one.
outcome<json::value> local_cluster::settled(outcome<json::value> done) {
  while (std::exchange(unsettled_, false)) volumes_.settle();
  return done;
}

awaitable<void> local_cluster::run() {
  auto serve = app::first_of(jobs_.run(), sweep_events());
  if (settings_.manifests.empty()) {
    co_await std::move(serve);
  } else {
    co_await app::first_of(std::move(serve), watch_manifests());
  }
}

awaitable<void> local_cluster::sweep_events() {
  for (;;) {
    try {
      events_.sweep(store_.all());
    } catch (std::system_error const& failed) {
      settings_.report(std::string("Events of deleted objects cannot be removed at the moment: ") + failed.what() + ".");
    }
    co_await time_.sleep_for(sweep_period);
  }
}

awaitable<void> local_cluster::watch_manifests() {
  folder_watch watch(loop_, time_);
  for (;;) {
    watch.watch(manifests_.folders());
    co_await watch.changed(poll);
    scan();
  }
}

void local_cluster::scan() {
  bool other_problems = false;
  try {
    store_.finish_writes();
    other_problems = manifests_.scan();
    settled(json::value());
  } catch (std::system_error const& failed) {
    settings_.report(std::string("The manifests cannot be applied at the moment: ") + failed.what() + ".");
  }
  for (auto const& each : manifests_.take_notices()) settings_.report(sentence(each));
  if (!other_problems) return;
  for (auto const& each : manifests_.problems()) settings_.report(sentence(each));
  hub_.tell(seen_object{manifest_report()});
}

json::value local_cluster::manifest_report() const {
  auto problems = json::encode(manifests_.problems());
  auto version = std::to_string(std::hash<std::string>()(json::dump(problems)));
  auto metadata = json::value(json::object{{"name", "manifests"}, {"uid", "manifests"}, {"resourceVersion", version}});
  return json::object{{"apiVersion", ours("v1alpha1")},
                      {"kind", "ManifestFolder"},
                      {"metadata", std::move(metadata)},
                      {"folder", manifests_.folder().string()},
                      {"problems", std::move(problems)}};
}

std::unique_ptr<cluster_feed> local_cluster::follow() {
  auto keys = std::views::keys(store_.all());
  auto now = [this](object_key const& key) {
    auto* object = store_.find(key);
    return object ? std::vector<cluster_change>{seen_object{*object}} : std::vector<cluster_change>{};
  };
  return hub_.follow({.keys = {keys.begin(), keys.end()}, .now = now, .rest = [this] { return all_but_objects(); }, .listed = true});
}

std::vector<cluster_change> local_cluster::all_but_objects() const {
  auto all = jobs_.all();
  if (!settings_.manifests.empty()) all.push_back(seen_object{manifest_report()});
  for (auto& each : proto::infos_of(proto::own_kinds{}))  // there is no other operator
    if (!each.other_operator.empty()) all.push_back(kind_seen{std::string(each.kind), proto::kind_presence::Listed});
  return all;
}

awaitable<outcome<json::value>> local_cluster::read(proto::object_ref object) {
  auto key = admit_key(object);
  if (!key) co_return std::unexpected(key.error());
  auto* there = store_.find(*key);
  if (!there || (!object.uid.empty() && uid_of(*there) != object.uid))
    co_return refuse(answer_code::NotFound, "There is no " + key->text() + ".");
  co_return *there;
}

std::optional<json::value> local_cluster::known(object_key const& key) const {
  auto* there = store_.find(key);
  return there ? std::optional(*there) : std::nullopt;
}

// Objects that users write are checked; services create objects from the same types.
std::optional<refusal> local_cluster::objection(json::value const& manifest) const {
  auto key = admit_key(manifest);
  if (!key) return key.error();
  auto* current = store_.find(*key);
  auto wrong = settings_.check(manifest, current);
  if (wrong.empty()) wrong = beside(manifest, judged_.all(), current, settings_.configurations).faults;
  if (wrong.empty()) return std::nullopt;
  return refusal{answer_code::Invalid, key->text() + " is refused: " + listing(wrong)};
}

awaitable<outcome<json::value>> local_cluster::create(json::value manifest) {
  bool by_request = !annotation(manifest, ours("request")).empty();
  if (auto wrong = by_request ? objection(manifest) : std::nullopt) co_return std::unexpected(*wrong);
  co_return settled(store_.create(std::move(manifest)));
}

awaitable<outcome<json::value>> local_cluster::apply(json::value manifest) {
  if (auto dropped = drop_reserved(manifest); !dropped.empty()) settings_.report(dropped);
  if (auto wrong = objection(manifest)) co_return std::unexpected(*wrong);
  co_return settled(store_.apply(std::move(manifest)));
}

awaitable<outcome<json::value>> local_cluster::patch(proto::patch_metadata patch) { co_return settled(store_.patch(patch)); }
awaitable<outcome<json::value>> local_cluster::remove(proto::delete_object command) { co_return settled(store_.remove(command)); }

awaitable<outcome<json::value>> local_cluster::write_status(json::value read, json::value status) {
  co_return store_.write_status(read, std::move(status));
}

awaitable<outcome<std::string>> local_cluster::create_job(proto::create_job job) { co_return jobs_.create(std::move(job)); }
awaitable<outcome<void>> local_cluster::delete_job(proto::delete_job job) { co_return co_await jobs_.remove(std::move(job)); }
awaitable<outcome<void>> local_cluster::capture_volumes(proto::capture_volumes) {
  co_return refuse(answer_code::Invalid, "Outside a cluster no snapshot of a volume is taken: say copyMethod Direct.");
}
awaitable<outcome<void>> local_cluster::delete_capture(proto::delete_capture) { co_return outcome<void>(); }

awaitable<outcome<json::value>> local_cluster::mint(minted_secret wanted) {
  auto key = key_to<proto::secret>(wanted.owner.namespace_, wanted.name);
  auto* there = store_.find(key);
  auto made = there ? mint_over(*there, wanted) : store_.create(manifest_of(wanted));
  if (made) show_secret(settings_.data, *made);
  co_return made;
}

outcome<json::value> local_cluster::mint_over(json::value const& there, minted_secret const& wanted) {
  auto patch = patch_for(there, wanted);
  if (!patch) return std::unexpected(patch.error());
  auto key = key_of(there);
  if (*patch) store_.edit(key, [&](json::value& secret) { json::merge(secret, **patch); });
  return *store_.find(key);
}

awaitable<outcome<json::value>> local_cluster::drop(proto::drop_secret command) {
  auto key = key_to<proto::secret>(command.owner.namespace_, command.name);
  auto* there = store_.find(key);
  if (there && !is_controlled_by(*there, command.owner.uid)) co_return json::value();
  hide_secret(settings_.data, key);
  if (!there) co_return json::value();
  co_return store_.remove({.object = ref_of(*there), .annotations = {}});
}

awaitable<outcome<std::string>> local_cluster::secret(std::string ns, std::string name, std::string key) {
  co_return secret_value(store_.all(), key_to<proto::secret>(ns, name), key);
}

awaitable<outcome<json::array>> local_cluster::endpoint_slices(std::string, std::string) { co_return json::array(); }
awaitable<outcome<void>> local_cluster::exec(proto::exec_in_pod) {
  co_return refuse(proto::answer_code::Invalid, "A host has no pods to run a command in; use an httpRequest hook.");
}
awaitable<outcome<void>> local_cluster::run_job(proto::run_user_job) {
  co_return refuse(proto::answer_code::Invalid, "A host runs no Jobs of users; use an httpRequest hook.");
}

awaitable<outcome<void>> local_cluster::record_event(proto::record_event event) {
  auto key = admit_key(event.object);
  if (!key) co_return std::unexpected(key.error());
  events_.add(*key, event, time_.now());
  co_return outcome<void>();
}

awaitable<std::optional<std::string>> local_cluster::note(std::string name) {
  co_return files::read_file(settings_.data / (name + ".json"));
}
awaitable<void> local_cluster::keep_note(std::string name, std::string text) {
  files::write_file(settings_.data / (name + ".json"), text, 0600);
  co_return;
}

}  // namespace kopiur::gateway::local
