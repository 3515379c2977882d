#include "e2e/simulation/datacenter.hpp"

#include "proto/codec.hpp"
#include "proto/validate.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::simulation {

using namespace proto;
using gateway::outcome;
using gateway::refuse;

std::string key_text(std::string_view kind, std::string_view ns, std::string_view name) {
  return std::string(kind) + "/" + std::string(ns) + "/" + std::string(name);
}
std::string key_text(json::value const& object) {
  auto key = gateway::key_of(object);
  return key_text(key.kind, key.namespace_, key.name);
}
std::string key_text(object_ref const& ref) { return key_text(ref.kind, ref.namespace_, ref.name); }

datacenter::datacenter(testing::world& home, std::string cluster)
    : home_(home), cluster_(std::move(cluster)), mover_site_(home.faults().place("mover")), luck_(home.fork("datacenter")) {}

outcome<json::value> datacenter::read(object_ref const& object) const {
  static auto const ready =  // every etcd is
      json::parse(R"({"kind":"StatefulSet","metadata":{"name":"etcd","uid":"etcd"},"spec":{"replicas":3},"status":{"readyReplicas":3}})")
          .value();
  if (object.kind == ready.text("kind")) return ready;
  auto found = objects_.find(key_text(object));
  bool gone = found == objects_.end() || (!object.uid.empty() && gateway::uid_of(found->second) != object.uid);
  if (gone) return refuse(answer_code::NotFound, object.kind + " " + object.name + " does not exist.");
  if (!stale_reads || object.kind != "Backup") return as_shown(found->second);
  auto wrong = found->second;
  wrong.find("metadata")->set("deletionTimestamp", to_text(home_.wall()));
  if (auto* spec = wrong.find("spec")) spec->set("pin", false), spec->set("deletionPolicy", "Delete");
  return wrong;
}

json::value datacenter::as_shown(json::value object) const {
  if (auto* status = bao.forgets_locks && object.text("kind") == "OpenBaoCluster" ? object.find("status") : nullptr)
    status->erase("operationLock");
  return object;
}

outcome<json::value> datacenter::create(json::value manifest) {
  auto key = key_text(manifest);
  if (auto found = objects_.find(key); found != objects_.end()) {
    if (gateway::proves(found->second, manifest)) return found->second;
    return refuse(answer_code::AlreadyExists, key + " exists already.");
  }
  if (auto why = closed(std::string(manifest.text("metadata.namespace")))) return std::unexpected(std::move(*why));
  if (on_create) on_create(manifest);
  auto manifest_copy = second_backups ? manifest : json::value();
  ++counts["created " + std::string(manifest.text("kind"))];
  auto object = gateway::created(std::move(manifest), "uid-" + std::to_string(++made_), home_.wall());
  if (object.text("kind") == "PersistentVolumeClaim") {
    json::value status = json::value::make_object();
    status.set("phase", "Bound");
    object.set("status", std::move(status));
  }
  store(key, std::move(object));
  if (second_backups && !gateway::annotation(objects_[key], "kopiur.home-operations.com/slot").empty() && !key.ends_with("-again")) {
    auto again = manifest_copy;
    again.find("metadata")->set("name", std::string(again.text("metadata.name")) + "-again");
    (void)create(std::move(again));
  }
  return objects_[key];
}

outcome<json::value> datacenter::apply(json::value manifest) {
  auto found = objects_.find(key_text(manifest));
  if (found == objects_.end()) return create(std::move(manifest));
  if (auto next = gateway::applied(found->second, manifest)) store(found->first, std::move(*next));
  return objects_[key_text(manifest)];
}

outcome<json::value> datacenter::patch(patch_metadata const& patch) {
  auto found = objects_.find(key_text(patch.object));
  if (found == objects_.end()) return refuse(answer_code::NotFound, patch.object.name + " does not exist.");
  if (!patch.object.uid.empty() && gateway::uid_of(found->second) != patch.object.uid)
    return refuse(answer_code::Conflict, "It is another object now.");
  auto next = gateway::patched(found->second, patch);
  if (!next) return found->second;
  auto key = found->first;
  if (gateway::may_go(*next)) {
    drop(key);
    return json::value(nullptr);
  }
  store(key, std::move(*next));
  return objects_[key];
}

outcome<json::value> datacenter::remove(delete_object const& command) {
  auto found = objects_.find(key_text(command.object));
  if (found == objects_.end()) return json::value(nullptr);
  if (!command.object.uid.empty() && gateway::uid_of(found->second) != command.object.uid)
    return refuse(answer_code::Conflict, "It is another object now.");
  auto next = gateway::marked_for_deletion(found->second, command.annotations, home_.wall());
  auto key = found->first;
  ++counts["deleted " + command.object.kind];
  if (gateway::may_go(next ? *next : found->second)) {
    drop(key);
    return json::value(nullptr);
  }
  if (next) store(key, std::move(*next));
  return objects_[key];
}

outcome<json::value> datacenter::write_status(json::value const& read, json::value status) {
  auto found = objects_.find(key_text(read));
  if (auto why = gateway::outdated(found == objects_.end() ? nullptr : &found->second, read)) return std::unexpected(std::move(*why));
  auto next = gateway::with_status(found->second, std::move(status));
  if (!next) return found->second;
  if (next->text("kind") == "OpenBaoCluster") check_lock(found->second, *next);
  if (next->text("kind") == "OpenBaoRestore") check_completed(*next);
  for (auto& each : proto::validate(next->text("kind"), *next))
    if (each.path.starts_with("status")) home_.violate("8 a status that the API refuses", found->first + ": " + each.text());
  store(found->first, std::move(*next));
  return objects_[key_text(read)];
}

outcome<json::value> datacenter::mint(gateway::minted_secret const& wanted) {
  auto manifest = gateway::manifest_of(wanted);
  auto found = objects_.find(key_text(manifest));
  if (found == objects_.end()) return create(std::move(manifest));
  if (overwrites_secrets && !gateway::is_controlled_by(found->second, wanted.owner.uid)) {
    auto next = found->second;
    json::merge(next, manifest);
    store(found->first, std::move(next));
    return objects_[key_text(manifest)];
  }
  auto patch = gateway::patch_for(found->second, wanted);
  if (!patch) return std::unexpected(patch.error());
  if (!*patch) return found->second;
  auto next = found->second;
  json::merge(next, **patch);
  store(found->first, std::move(next));
  return objects_[key_text(manifest)];
}

outcome<json::value> datacenter::drop(proto::drop_secret const& command) {
  auto secret = proto::ref_to<proto::secret>(command.owner.namespace_, command.name);
  auto found = objects_.find(key_text(secret));
  if (found == objects_.end() || !gateway::is_controlled_by(found->second, command.owner.uid)) return json::value();
  return remove({.object = gateway::ref_of(found->second), .annotations = {}});
}

bool datacenter::write_turn(std::string who, std::uint64_t read) {
  if (read != turn_.version) return false;
  if (who != turn_.holder) ++counts["gateway took over"], home_.note("cluster", "turn of", who);
  turn_ = {std::move(who), read + 1};
  return true;
}

void datacenter::store(std::string const& key, json::value object) {
  ++writes;
  if (auto* meta = object.find("metadata")) meta->set("resourceVersion", std::to_string(++version_));
  auto& entry = objects_[key];
  entry = std::move(object);
  home_.note("cluster", "stored", key);
  tell(gateway::seen_object{as_shown(entry)});
  if (on_stored) on_stored(key, entry);
}

void datacenter::drop(std::string const& key) {
  ++writes;
  auto gone = gateway::key_of(objects_[key]);
  std::string uid(gateway::uid_of(objects_[key]));
  objects_.erase(key);
  home_.note("cluster", "removed", key);
  tell(gateway::gone_object{{gone.kind, gone.namespace_, gone.name, uid}});
  if (on_gone) on_gone(key);
}

void datacenter::reader::put(gateway::cluster_change change) {
  if (auto* seen = std::get_if<gateway::seen_object>(&change)) known[key_text(seen->object)] = seen->object;
  if (auto* gone = std::get_if<gateway::gone_object>(&change)) known.erase(key_text(gone->object));
  arrived.push_back(std::move(change));
  for (; !waiting.empty(); waiting.pop_front())
    if (who.home().waiting(waiting.front())) {
      who.home().finish(waiting.front());
      waiting.pop_front();
      return;
    }
}

bool datacenter::reader::walk_on() {
  for (; arrived.empty() && !walk.empty(); walk.pop_front())
    if (auto object = known.find(walk.front()); object != known.end()) arrived.push_back(gateway::seen_object{object->second});
  if (arrived.empty() && rest) std::ranges::move(std::exchange(rest, nullptr)(), std::back_inserter(arrived));
  return !arrived.empty();
}

void datacenter::tell(gateway::cluster_change const& change) {
  std::erase_if(readers_, [](auto& each) { return each.expired(); });
  for (auto& each : readers_) {
    each.lock()->coming.push_back(change);
    home_.at(std::max({home_.now(), away_until, stale_until}) + luck_.between(duration(1), duration(20)), [each] {
      auto reader = each.lock();
      if (!reader || !reader->who.alive() || reader->coming.empty()) return;
      auto first = std::move(reader->coming.front());
      reader->coming.pop_front();
      reader->put(std::move(first));
    });
  }
}

void datacenter::replace(json::value object) {
  auto key = key_text(object);
  store(key, std::move(object));
}

void datacenter::touch(std::string const& key) {
  auto found = objects_.find(key);
  if (found == objects_.end()) return;
  patch_metadata patch;
  patch.annotations = {{"example.org/seen", std::to_string(version_)}};
  auto next = gateway::patched(found->second, patch);
  if (next) store(key, std::move(*next));
}

void datacenter::expire_watches() {
  for (auto& each : readers_) {
    auto reader = each.lock();
    if (!reader || !reader->who.alive()) continue;
    auto missed = std::exchange(reader->coming, {});
    for (auto& one : missed)
      if (!std::holds_alternative<gateway::seen_object>(one)) reader->put(std::move(one));
    for (auto& [_, object] : objects_) reader->put(gateway::seen_object{as_shown(object)});
    for (auto& [_, job] : jobs_) reader->put(gateway::seen_object{gateway::job_object(job.seen, version_)});
  }
}

std::shared_ptr<datacenter::reader> datacenter::follow(testing::process& who) {
  auto fresh = std::make_shared<reader>(reader{.who = who});
  auto begin_with = [&](json::value object) {
    fresh->walk.push_back(key_text(object));
    fresh->known[fresh->walk.back()] = std::move(object);
  };
  for (auto& [_, object] : objects_) begin_with(as_shown(object));
  for (auto& [_, job] : jobs_) begin_with(gateway::job_object(job.seen, version_));
  fresh->rest = [this] {
    std::vector<gateway::cluster_change> rest;
    for (auto& kind : installed_) rest.push_back(gateway::kind_seen{kind, kind_presence::Listed});
    rest.push_back(gateway::listed{});
    return rest;
  };
  readers_.push_back(fresh);
  return fresh;
}

void datacenter::install_kind(std::string kind) {
  tell(gateway::kind_seen{kind, kind_presence::Listed});
  installed_.insert(std::move(kind));
}

std::vector<proto::backup> datacenter::backups() const {
  std::vector<proto::backup> found;
  for (auto& [key, object] : objects_)
    if (key.starts_with("Backup/"))
      if (auto read = json::decode<proto::backup>(object)) found.push_back(std::move(*read));
  return found;
}

}  // namespace kopiur::simulation
