#include "common/encoding/base64.hpp"
#include "e2e/simulation/buckety/bucket_story.hpp"
#include "services/gateway/core/minting.hpp"
#include "services/gateway/core/names.hpp"

/// What others do: to Secrets, on the stores, and with the configuration.
namespace kopiur::simulation {

using namespace std::chrono_literals;

namespace {

bool is_minted(json::value const& secret) { return gateway::label(secret, proto::label::buckety_owned) == "true"; }

}  // namespace

std::string content_of(json::value const& secret) {
  std::string all;
  for (auto* path : {"data", "type", "metadata.ownerReferences", "metadata.labels", "metadata.deletionTimestamp"}) {
    auto* found = secret.at(path);
    all += '|' + (found ? json::dump(*found) : std::string());
  }
  return all;
}

bool bucket_story::user_makes_a_secret(std::string const& ns) {
  std::string name = users_.chance(0.5) ? "first" : "second";
  if (find(proto::secret::info.kind, ns, name)) return false;
  json::value secret = json::object{{"apiVersion", "v1"},
                                    {"kind", std::string(proto::secret::info.kind)},
                                    {"metadata", json::object{{"name", name}, {"namespace", ns}}},
                                    {"data", json::object{{"mine", encoding::base64("untouched")}}}};
  if (users_.chance(0.3)) secret.find("metadata")->set("labels", json::object{{std::string(proto::label::buckety_owned), "true"}});
  return data_.create(std::move(secret)).has_value();
}

/// A minted one, or their own.
bool bucket_story::user_deletes_a_secret(std::string const& ns) {
  auto* one = pick(proto::secret::info.kind, ns);
  if (one) theirs_.erase(key_text(*one));
  return remove(one);
}

bool bucket_story::user_edits_a_secret(std::string const& ns) {
  auto* one = pick(proto::secret::info.kind, ns, [&](auto& each) { return is_minted(each) && !theirs_.contains(key_text(each)); });
  if (!one) return false;
  auto edited = *one;
  auto& data = *edited.find("data");
  if (users_.chance(0.5)) data.set("bucket", encoding::base64("another"));
  if (users_.chance(0.3)) data.erase("secretAccessKey");
  if (users_.chance(0.3)) data.set("note", encoding::base64("mine"));
  if (users_.chance(0.3)) edited.find("metadata")->find("labels")->erase(std::string(proto::label::buckety_owned));
  data_.replace(std::move(edited));
  return true;
}

/// From now on it is theirs: they remove its owner.
bool bucket_story::user_takes_a_secret(std::string const& ns) {
  auto* one = pick(proto::secret::info.kind, ns, [&](auto& each) { return is_minted(each) && !theirs_.contains(key_text(each)); });
  if (!one) return false;
  auto taken = *one;
  taken.find("metadata")->erase("ownerReferences");
  data_.replace(std::move(taken));
  return true;
}

bucket_place bucket_story::some_place() {
  static constexpr char const* names[] = {"shared", "common", "photos", "music", "films", "ada-photos", "bob-music", "x-one", "x-two"};
  return {users_.chance(0.7) ? "one" : "two", names[users_.below(std::size(names))]};
}

/// Under a name whose bucket the product has made, a store shows no difference.
bool bucket_story::put_bucket(bucket_place const& place, int objects) {
  auto* made = sky.make(place, "", objects);
  if (!made) return false;
  auto was = made_by_.find(place);
  made->posing = was != made_by_.end() && object_of(was->second) && !claim_of(place).removed;
  home_.note("outsider", "made", place.name + " on " + place.store, made->posing ? "posing" : "");
  return true;
}

/// With or without content.
bool bucket_story::outsider_makes_a_bucket(std::string const&) { return put_bucket(some_place(), users_.chance(0.6) ? 2 : 0); }

bool bucket_story::outsider_deletes_a_bucket(std::string const&) {
  if (sky.buckets.empty()) return false;
  auto one = std::next(sky.buckets.begin(), static_cast<std::ptrdiff_t>(users_.below(sky.buckets.size())));
  home_.note("outsider", "deleted", one->first.name);
  sky.buckets.erase(one);
  return true;
}

bool bucket_story::outsider_writes(std::string const&) {
  auto found = sky.buckets.find(some_place());
  if (found == sky.buckets.end()) return false;
  found->second.objects = static_cast<int>(users_.below(5));
  return true;
}

bool bucket_story::outsider_changes_settings(std::string const&) {
  auto found = sky.buckets.find(some_place());
  if (found == sky.buckets.end()) return false;
  found->second.versioning = found->second.versioning == "true" ? "false" : "true";
  return true;
}

/// The new keys are in the configuration; the processes that read it are restarted.
bool bucket_story::operator_rotates(std::string const&) {
  ++keys_;
  restart_services();
  return true;
}

}  // namespace kopiur::simulation
