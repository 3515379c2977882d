#include "services/gateway/kubernetes/kubernetes_cluster.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/kinds.hpp"
#include "services/gateway/core/seal.hpp"
#include "services/gateway/core/secret_value.hpp"
#include "services/gateway/kubernetes/jobs/job_grants.hpp"
#include "services/gateway/kubernetes/jobs/user_job.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod_exec.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/objects/server_version.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr char const* seal_name = "kopiur-gateway-seal";
constexpr duration ask_again = 2s, jobs_wait = 10s;
constexpr char const* most_slices = "50";  // each has up to 1,000 endpoints

value metadata(std::string_view ns, std::string_view name, std::string_view manager = "kopiur") {
  return object{{"name", name}, {"namespace", ns}, {"labels", object{{"app.kubernetes.io/managed-by", manager}}}};
}

awaitable<outcome<std::string>> read_seal(objects& all, std::string const& ns) {
  auto key = key_to<proto::secret>(ns, seal_name);
  auto there = co_await all.read({key.kind, ns, key.name, ""});
  if (!there && there.error().code == answer_code::NotFound) {
    value secret =
        object{{"apiVersion", "v1"}, {"kind", proto::secret::info.kind}, {"metadata", metadata(ns, seal_name)}, {"immutable", true}};
    secret.set("data", object{{"secret", encoding::base64(new_seal_secret())}});
    (void)co_await all.create(std::move(secret));  // another gateway may have been faster: the stored Secret counts
    there = co_await all.read({key.kind, ns, key.name, ""});
  }
  if (!there) co_return std::unexpected(there.error());
  co_return value_in(*there, "secret");
}

/// Everything that services read. Jobs and pods have separate watches, and no service reads the Secrets of Jobs.
watch::kinds kinds_of(cluster_settings const& settings) {
  auto told = [report = settings.report](error const& why) { report(why.message); };
  watch::kinds kinds;
  kinds.searched = populator::searched_kinds();
  for (auto& each : proto::infos_of(proto::mirrored_kinds{})) {
    bool secret = each.kind == proto::secret::info.kind;
    bool served = std::ranges::find(settings.systems, each.system) != settings.systems.end();
    if (!(each.system.empty() ? secret || settings.runs : served)) continue;
    auto& list = proto::is_foreign(each.kind) ? kinds.foreign : kinds.required;
    if (!each.other_operator.empty()) {
      auto set = settings.other_operators.find(std::string(each.system));
      kinds.other_operators[each.kind] = set == settings.other_operators.end() ? std::string(each.other_operator) : set->second;
    }
    list.push_back({.resource = *resource_of(each.kind),
                    .namespace_ = each.scope == proto::kind_scope::Cluster ? "" : settings.namespace_,
                    .selector = !secret                            ? ""
                                : settings.secret_selector.empty() ? "!" + ours("run")
                                                                   : settings.secret_selector,
                    .metadata_only = secret,
                    .told = told});
  }
  return kinds;
}

/// Whether the gateway has the rights on what plans grant: they come with the systems whose plans do.
bool may_grant(cluster_settings const& settings) {
  auto& served = settings.systems;
  return std::ranges::all_of(grantable_kinds, [&](auto kind) {
    return std::ranges::any_of(served, [&](auto& system) { return resource_of(kind)->is_for(system); });
  });
}

/// Used by one run only: services would mistake them for claims of users.
bool is_of_a_run(value const& object) { return is_prime(object) || is_copy(object) || is_of_a_mover(object); }

}  // namespace

kubernetes_cluster::kubernetes_cluster(clock& time, asio::any_io_executor loop, std::unique_ptr<client> api, cluster_settings settings)
    : time_(time),
      loop_(loop),
      settings_(std::move(settings)),
      api_(std::move(api)),
      marks_(settings_.pods.seal_secret),
      told_(loop),
      objects_(*api_),
      hub_(loop),
      watch_(
          *api_, time, kinds_of(settings_), [this](cluster_change change) { tell(std::move(change)); }, [this] { listed_one(); }),
      jobs_(*api_, time, loop,
            {.pods = settings_.pods,
             .namespace_ = settings_.namespace_,
             .told = [report = settings_.report](error const& why) { report(why.message); },
             .claim = [this](object_key const& key) { return watch_.object(key); },
             .grants = may_grant(settings_)},
            {.tell = [this](cluster_change change) { hub_.tell(change); }, .listed = [this] { listed_one(); }}),
      populator_(*api_, time, loop, watch_, marks_,
                 {.namespace_ = settings_.namespace_,
                  .report = settings_.report,
                  .record = [this](proto::record_event event) { return record_event(std::move(event)); }}),
      captures_(*api_, time),
      copies_(*api_, time, captures_, [this](object_key const& key) { return watch_.object(key); }),
      access_(time, reviews_by(*api_)) {
  if (!settings_.lease.empty()) leader_.emplace(*api_, time, settings_.own_namespace, settings_.lease, kopiur::kubernetes::own_identity());
  if (!settings_.certificates) return;
  settings_.certificates->report = settings_.report;
  certificates_.emplace(*api_, time, loop, *settings_.certificates);
  settings_.webhook->certificate = [this] { return certificates_->serving(); };
}

awaitable<std::unique_ptr<kubernetes_cluster>> kubernetes_cluster::open(clock& time, cluster_settings settings) {
  auto loop = co_await asio::this_coro::executor;
  auto api = std::make_unique<client>(time, loop, settings.who);
  if (!settings.runs) {
    settings.pods.seal_secret = new_seal_secret();  // there are no Jobs, and no marks that a later gateway has to prove
    co_return std::unique_ptr<kubernetes_cluster>(new kubernetes_cluster(time, loop, std::move(api), std::move(settings)));
  }
  objects all(*api);
  for (;;) {
    auto secret = co_await read_seal(all, settings.own_namespace);
    if (secret) {
      settings.pods.seal_secret = std::move(*secret);
      break;
    }
    auto sentence = "The Secret " + std::string(seal_name) + " in " + settings.own_namespace + " is needed: " + secret.error().message;
    if (is_permanent(secret.error())) throw std::runtime_error(sentence);
    settings.report(sentence);
    co_await time.sleep_for(ask_again);
  }
  auto version = co_await api->ask({.path = "/version"});
  if (auto why = version ? too_old(*version) : std::nullopt) throw std::runtime_error(*why);
  if (!version) settings.report("The version of the cluster is not known: " + version.error().message);
  co_return std::unique_ptr<kubernetes_cluster>(new kubernetes_cluster(time, loop, std::move(api), std::move(settings)));
}

void kubernetes_cluster::tell(cluster_change change) {
  auto* seen = std::get_if<seen_object>(&change);
  auto* gone = std::get_if<gone_object>(&change);
  auto kind = seen ? seen->object.text("kind") : gone ? std::string_view(gone->object.kind) : std::string_view();
  if (kind == proto::persistent_volume_claim::info.kind || kind == proto::persistent_volume::info.kind || kind == proto::restore::info.kind)
    populator_.look_soon();
  if (settings_.webhook && seen) judged_.take(seen->object);
  if (settings_.webhook && gone) judged_.drop(key_of(gone->object));
  if (!(seen && is_of_a_run(seen->object))) hub_.tell(change);
}

void kubernetes_cluster::listed_one() {
  populator_.look_soon();
  told_.notify();
  if (all_told()) hub_.tell(listed{});
}

awaitable<void> kubernetes_cluster::answer_reviews() {
  if (certificates_) co_await certificates_->found();
  auto settings = *settings_.webhook;
  settings.rights = [this](value review) { return access_.lacking(std::move(review)); };
  settings.report = settings_.report;
  co_await serve_webhook(std::move(settings), judged_.all(), [this](int) { reviews_ = true; });
}

std::string kubernetes_cluster::why_not_serving() const {
  if (!watch_.told()) return "the objects of the cluster are being read";
  return settings_.webhook && !reviews_ ? "the webhook waits for its certificate (" + settings_.webhook->origin + ")" : "";
}

awaitable<void> kubernetes_cluster::acquire() {
  if (leader_) co_await leader_->acquire();
  active_ = true;
}
awaitable<void> kubernetes_cluster::release() {
  active_ = false;
  if (leader_) co_await leader_->release();
}

awaitable<void> kubernetes_cluster::stand_by() {
  app::nursery parts(co_await asio::this_coro::executor);
  parts.spawn(watch_.run());
  if (settings_.webhook) parts.spawn(answer_reviews());
  if (certificates_) parts.spawn(certificates_->follow());
  co_await parts.join();
}

awaitable<void> kubernetes_cluster::run() {
  app::nursery parts(co_await asio::this_coro::executor);
  if (leader_) parts.spawn(leader_->keep());
  if (certificates_) parts.spawn(certificates_->keep());
  if (settings_.runs) parts.spawn(run_jobs()), parts.spawn(populator_.run());
  co_await parts.join();
}

/// Jobs are half of what a start reads, and no decision waits for them: they follow the objects that work begins with.
awaitable<void> kubernetes_cluster::run_jobs() {
  if (auto epoch = told_.epoch(); !watch_.told()) co_await app::first_of(told_.wait(epoch), time_.sleep_for(jobs_wait));
  co_await jobs_.run();
}

std::unique_ptr<cluster_feed> kubernetes_cluster::follow() {
  cluster_walk all{.keys = watch_.keys(),
                   .now = [this](object_key const& key) { return now(key); },
                   .rest = [this] { return watch_.seen_kinds(); },
                   .listed = all_told()};
  std::ranges::move(jobs_.registry().keys(), std::back_inserter(all.keys));
  return hub_.follow(std::move(all));
}

std::vector<cluster_change> kubernetes_cluster::now(object_key const& key) const {
  if (key.kind == proto::job::info.kind) return jobs_.registry().now(key);
  auto object = watch_.object(key);
  if (!object || is_of_a_run(*object)) return {};
  return {seen_object{*std::move(object)}};
}

awaitable<outcome<value>> kubernetes_cluster::read(proto::object_ref object) { co_return co_await objects_.read(std::move(object)); }
awaitable<outcome<value>> kubernetes_cluster::create(value manifest) { co_return co_await objects_.create(std::move(manifest)); }
awaitable<outcome<value>> kubernetes_cluster::apply(value manifest) { co_return co_await objects_.apply(std::move(manifest)); }
/// Writes of one object are serialised: the second names the version that the first produced, and is not refused.
app::semaphore& kubernetes_cluster::writers_of(object_key const& key) {
  std::erase_if(writers_, [&](auto const& one) { return one.first != key && one.second.idle(); });
  return writers_.try_emplace(key, loop_, 1).first->second;
}
awaitable<outcome<value>> kubernetes_cluster::patch(proto::patch_metadata patch) {
  object_key key{patch.object.kind, patch.object.namespace_, patch.object.name};
  auto turn = co_await writers_of(key).take();
  // Not for a Secret: not even its finalizers are known (mirror_form).
  auto known = key.kind == proto::secret::info.kind ? std::nullopt : watch_.object(key);
  auto done = co_await objects_.patch(std::move(patch), std::move(known));
  if (done && !done->is_null()) watch_.wrote(*done);
  co_return done;
}
awaitable<outcome<value>> kubernetes_cluster::remove(proto::delete_object command) {
  co_return co_await objects_.remove(std::move(command));
}
awaitable<outcome<value>> kubernetes_cluster::write_status(value read, value status) {
  auto key = key_of(read);
  auto turn = co_await writers_of(key).take();
  if (is_newer(watch_.version(key), version_of(read)))
    co_return refuse(answer_code::Conflict, key.text() + " was changed before its status could be written.");
  auto done = co_await objects_.write_status(std::move(read), std::move(status));
  if (done) watch_.wrote(*done);
  co_return done;
}

awaitable<outcome<std::string>> kubernetes_cluster::create_job(proto::create_job job) {
  auto ready = co_await populator_.with_prime(std::move(job));
  if (!ready) co_return std::unexpected(ready.error());
  ready = co_await copies_.with_copies(std::move(*ready));
  if (!ready) co_return std::unexpected(ready.error());
  co_return co_await jobs_.create(std::move(*ready));
}
awaitable<outcome<void>> kubernetes_cluster::delete_job(proto::delete_job job) {
  auto gone = co_await jobs_.remove(job);
  if (!gone && gone.error().code != answer_code::NotFound) co_return gone;
  if (auto done = co_await copies_.remove(std::move(job)); !done) co_return done;
  co_return gone;
}

awaitable<outcome<void>> kubernetes_cluster::capture_volumes(proto::capture_volumes command) {
  co_return co_await copies_.capture(std::move(command));
}
awaitable<outcome<void>> kubernetes_cluster::delete_capture(proto::delete_capture command) {
  co_return co_await captures_.remove(std::move(command));
}

awaitable<outcome<std::string>> kubernetes_cluster::secret(std::string ns, std::string name, std::string key) {
  auto there = co_await objects_.read(proto::ref_to<proto::secret>(std::move(ns), std::move(name)));
  if (!there) co_return std::unexpected(there.error());
  co_return value_in(*there, key);
}

awaitable<outcome<json::array>> kubernetes_cluster::endpoint_slices(std::string ns, std::string service) {
  auto found = co_await api_->ask({.path = path_of(*resource_of("EndpointSlice"), ns),
                                   .query = {{"labelSelector", "kubernetes.io/service-name=" + service}, {"limit", most_slices}}});
  if (!found) co_return refused(found.error());
  co_return items_of(std::move(*found));
}

awaitable<outcome<void>> kubernetes_cluster::exec(proto::exec_in_pod command) {
  co_return co_await exec_in(*api_, time_, std::move(command));
}
awaitable<outcome<void>> kubernetes_cluster::run_job(proto::run_user_job job) {
  co_return co_await run_to_end(objects_, time_, std::move(job));
}

awaitable<outcome<void>> kubernetes_cluster::record_event(proto::record_event event) {
  auto result = admit_key(event.object);
  if (!result) co_return std::unexpected(result.error());
  auto* resource = resource_of(result->kind);
  auto ns = result->namespace_.empty() ? "default" : result->namespace_;  // the convention for objects without a namespace
  auto now = to_text(time_.now());
  auto id = hash::digest_hex({event.object.uid, event.type, event.reason, event.message, now}, 16);
  value involved = object{{"apiVersion", resource ? resource->group_version : ""},
                          {"kind", result->kind},
                          {"name", result->name},
                          {"namespace", result->namespace_},
                          {"uid", event.object.uid}};
  value manifest = object{{"apiVersion", "v1"},
                          {"kind", "Event"},
                          {"metadata", metadata(ns, result->name.substr(0, 200) + "." + id, settings_.component)},
                          {"involvedObject", std::move(involved)},
                          {"type", event.type},
                          {"reason", event.reason},
                          {"message", event.message},
                          {"source", object{{"component", settings_.component}}},
                          {"firstTimestamp", now},
                          {"lastTimestamp", now},
                          {"count", 1}};
  auto made = co_await objects_.create(std::move(manifest));
  if (!made) co_return std::unexpected(made.error());
  co_return outcome<void>();
}

awaitable<std::optional<std::string>> kubernetes_cluster::note(std::string name) {
  if (!settings_.notes) co_return std::nullopt;
  auto there = co_await objects_.read(proto::ref_to<proto::config_map>(settings_.own_namespace, "kopiur-" + name));
  if (!there && there.error().code != answer_code::NotFound) throw std::runtime_error(there.error().message);
  auto text = there ? there->text("data.text") : std::string_view();
  co_return text.empty() ? std::nullopt : std::optional(std::string(text));
}

awaitable<void> kubernetes_cluster::keep_note(std::string name, std::string text) {
  if (!settings_.notes) co_return;
  value map = object{
      {"apiVersion", "v1"}, {"kind", proto::config_map::info.kind}, {"metadata", metadata(settings_.own_namespace, "kopiur-" + name)}};
  map.set("data", object{{"text", std::move(text)}});
  auto kept = co_await objects_.apply(std::move(map));
  if (!kept) throw std::runtime_error(kept.error().message);
}

}  // namespace kopiur::gateway::kubernetes
