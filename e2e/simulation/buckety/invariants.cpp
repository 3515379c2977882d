#include <algorithm>

#include "common/encoding/base64.hpp"
#include "common/hash/stable_hash.hpp"
#include "e2e/simulation/buckety/bucket_story.hpp"
#include "e2e/simulation/objects.hpp"
#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"

/// The invariants of Buckety that hold all the time.
namespace kopiur::simulation {

using namespace std::chrono_literals;

namespace {

constexpr duration seen_by_then = 1min;  // a removal may rest on what was true so long ago

bool is_of(json::value const& object, std::string_view kind) { return object.text("kind") == kind; }
bool keeps(json::value const& buckety) { return buckety.text("spec.retentionPolicy") != "Delete"; }
bucket_place stamped_place(json::value const& buckety) {
  return {std::string(buckety.text("status.backendStore")), std::string(buckety.text("status.backendResourceName"))};
}

}  // namespace

std::string content_of(json::value const& secret);

/// What the bus says about a name.
proto::resource_claim bucket_story::claim_of(bucket_place const& place) {
  auto subject = proto::subjects::claim(hash::digest_hex({place.store, place.name}, 32));
  auto last = net_.server().last(std::string(proto::subjects::states), subject);
  if (!last || !*last || (*last)->body.empty()) return {};
  return json::read<proto::resource_claim>((*last)->body).value_or(proto::resource_claim{});
}

/// The object for which a request about that name is sent now: the name's owner by the bus, or by its stamp, if the bus was lost.
std::string bucket_story::sender_at(bucket_place const& place) {
  auto owner = claim_of(place).owner.uid;
  if (!owner.empty()) return owner;
  auto found = std::ranges::find_if(data_.objects(),
                                    [&](auto& one) { return one.first.starts_with("Buckety/") && stamped_place(one.second) == place; });
  return found == data_.objects().end() ? owner : std::string(gateway::uid_of(found->second));
}

json::value const* bucket_story::object_of(std::string_view uid) const {
  auto found = std::ranges::find_if(data_.objects(),
                                    [&](auto& one) { return one.first.starts_with("Buckety/") && gateway::uid_of(one.second) == uid; });
  return found == data_.objects().end() ? nullptr : &found->second;
}

/// A removal is sent only for an object that is being deleted with the policy Delete.
void bucket_story::removal_sent(bucket_place const& place, std::string const& uid) {
  told_.add("checked: removal of a bucket");
  auto* object = object_of(uid);
  if (!object) return violate("B1 a bucket is deleted for no object", place.name + ", " + uid);
  if (!gateway::is_terminating(*object)) return violate("B1 a bucket is deleted whose Buckety lives", place.name);
  if (auto& policy = policies_[uid]; policy.first && policy.second + seen_by_then < home_.now())
    violate("B2 a retained bucket is deleted", place.name);
}

/// Only what the object's own call has made. A store cannot be told to remove one bucket and not the next of that name: a request that
/// comes late may remove what an outsider has made meanwhile.
void bucket_story::check_removal(bucket_place const& place, bucket const& doomed, sender const& by) {
  if (doomed.posing) return told_.add("posing bucket deleted");
  if (doomed.maker.empty() && doomed.number != by.number) return told_.add("removal that came too late");
  if (doomed.maker != by.uid)
    violate("B1 foreign bucket deleted", place.name + " of " + (doomed.maker.empty() ? "somebody" : doomed.maker) + " for " + by.uid);
}

/// A name on a store is stamped on one object.
void bucket_story::check_names(std::string const& key, json::value const& object) {
  auto place = stamped_place(object);
  if (place.name.empty()) return;
  told_.add("checked: name of a bucket");
  for (auto entry = data_.objects().lower_bound("Buckety/"); entry != data_.objects().end() && entry->first.starts_with("Buckety/");
       ++entry)
    if (entry->first != key && stamped_place(entry->second) == place)
      return violate("B4 two objects own one name", place.name + ": " + key + " and " + entry->first);
}

/// A Secret that no access controls is a user's.
void bucket_story::check_secret(std::string const& key, json::value const& object) {
  auto content = content_of(object);
  bool minted = object.at("metadata.ownerReferences");
  auto known = theirs_.find(key);
  if (known == theirs_.end()) return minted ? void() : void(theirs_.emplace(key, std::move(content)));
  told_.add("checked: Secret of a user");
  if (known->second != content) violate("B3 Secret overwritten", key);
}

void bucket_story::stored(std::string const& key, json::value const& object) {
  if (is_of(object, proto::secret::info.kind)) return check_secret(key, object), collect_garbage(key, object);
  if (json::dump(object).find("hunter2-secret") != std::string::npos) violate("10 a secret in an object", key);
  if (!is_of(object, proto::buckety::info.kind)) return;
  std::string uid(gateway::uid_of(object));
  auto& policy = policies_.try_emplace(uid, keeps(object), home_.now()).first->second;
  if (policy.first != keeps(object)) policy = {keeps(object), home_.now()};
  check_names(key, object);
  last_[key] = object;
}

void bucket_story::gone(std::string const& key) {
  if (key.starts_with("Secret/") && theirs_.erase(key)) {
    auto ns = key.substr(7, key.find('/', 7) - 7);
    auto* home = find("Namespace", "", ns);
    if (home && !gateway::is_terminating(*home)) violate("B3 Secret of a user deleted", key);
  }
  auto last = last_.extract(key);
  if (last) told_.add("gone: Buckety"), check_left(last.mapped());
}

/// 1, the other half: what an object's own call made goes with it, when that is the policy.
void bucket_story::check_left(json::value const& object) {
  auto place = stamped_place(object);
  auto found = sky.buckets.find(place);
  auto since = policies_[std::string(gateway::uid_of(object))].second;
  bool wanted = object.text("status.provenance") == "Created" && !keeps(object) && since + seen_by_then < home_.now();
  if (!wanted || found == sky.buckets.end() || found->second.posing || found->second.maker != gateway::uid_of(object)) return;
  violate("B6 a bucket is left that its Buckety made", place.name);
}

/// As a cluster does: a Secret goes after the access that controls it.
void bucket_story::collect_garbage(std::string const& key, json::value const& object) {
  auto* owners = object.at("metadata.ownerReferences");
  if (!owners) return;
  auto owner = owners->as_array()->front();
  home_.at(home_.now() + 10s, [this, key, owner] {
    auto found = data_.objects().find(key);
    auto* now = found == data_.objects().end() ? nullptr : found->second.at("metadata.ownerReferences");
    if (!now || now->as_array()->front().text("uid") != owner.text("uid")) return;
    auto* there = find(owner.text("kind"), found->second.text("metadata.namespace"), owner.text("name"));
    if (there && gateway::uid_of(*there) == owner.text("uid")) return;
    told_.add("garbage collected"), (void)remove(&found->second);
  });
}

/// Nothing of a user's is deleted by a service.
void bucket_story::removed_by_service(proto::delete_object const& command) {
  told_.add("checked: removal of an access");
  if (command.object.kind != proto::buckety_access::info.kind)
    return violate("B5 a service deletes " + command.object.kind, command.object.name);
  auto* there = find(command.object.kind, command.object.namespace_, command.object.name);
  if (there && gateway::uid_of(*there) == command.object.uid && of_users_.contains(command.object.uid))
    violate("B5 an access of a user is deleted", command.object.name);
}

/// 10: no message has the value, nor its form in a Secret.
void bucket_story::published(bus::stored const& message) {
  static std::string const encoded = encoding::base64("hunter2-secret").substr(0, 18);
  if (message.body.find(encoded) != std::string::npos) violate("10 a secret travels", message.subject);
}

/// Once a minute: each object has a condition that says why it waits. A call to a store takes 20 s at most.
void bucket_story::watch_silent() {
  constexpr int most = 15;  // minutes, outages included
  std::map<std::string, int> silent;
  for (auto& [key, one] : data_.objects()) {
    bool of_buckety = key.starts_with("Buckety/") || key.starts_with("BucketyAccess/");
    if (!of_buckety || condition_of(one, "Ready") || gateway::is_terminating(one)) continue;
    std::string uid(gateway::uid_of(one));
    if ((silent[uid] = silent_[uid] + 1) > most) violate("8 an object does not say why it waits", key);
  }
  silent_ = std::move(silent);
  home_.at(home_.now() + 1min, [this] { watch_silent(); });
}

}  // namespace kopiur::simulation
