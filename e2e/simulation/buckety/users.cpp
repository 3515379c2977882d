#include <algorithm>

#include "e2e/simulation/acts.hpp"
#include "e2e/simulation/buckety/bucket_story.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"

/// What users do with Bucketys and accesses: few names, so that many objects want the same one.
namespace kopiur::simulation {

using namespace std::chrono_literals;

namespace {

constexpr char const* object_names[] = {"photos", "music", "films"};
constexpr char const* bucket_names[] = {"", "", "shared", "common", "${namespace}-${name}", "x-${label['v']}"};
constexpr char const* backends[] = {"objects", "objects", "same", "other"};
constexpr char const* secret_names[] = {"first", "second", "third"};

template <class T, std::size_t N>
T one_of(T const (&all)[N], testing::dice& luck) {
  return all[luck.below(N)];
}

}  // namespace

void bucket_story::plan_users(duration length) {
  watch_silent();
  auto luck = home_.fork("plan of the users of buckets");
  auto minutes = std::chrono::duration_cast<std::chrono::minutes>(length).count();
  for (int i = 0; i < minutes; ++i) home_.at(home_.now() + luck.between(1min, length), [this] { acts(); });
}

void bucket_story::acts() {
  static constexpr act<bucket_story> all[] = {{12, "user: Buckety", &bucket_story::user_makes},
                                              {5, "user: rivals for a name", &bucket_story::user_makes_rivals},
                                              {8, "edit: delete Buckety", &bucket_story::user_deletes},
                                              {4, "edit: Buckety made again", &bucket_story::user_makes_again},
                                              {10, "edit: Buckety", &bucket_story::user_edits},
                                              {3, "edit: label of a Buckety", &bucket_story::user_relabels},
                                              {8, "user: access", &bucket_story::user_makes_an_access},
                                              {8, "edit: delete access", &bucket_story::user_deletes_an_access},
                                              {1, "edit: delete namespace", &bucket_story::user_deletes_a_namespace},
                                              {4, "user: Secret under a wanted name", &bucket_story::user_makes_a_secret},
                                              {5, "user: deletes a minted Secret", &bucket_story::user_deletes_a_secret},
                                              {3, "user: edits a minted Secret", &bucket_story::user_edits_a_secret},
                                              {1, "user: takes a minted Secret", &bucket_story::user_takes_a_secret},
                                              {6, "outsider: bucket", &bucket_story::outsider_makes_a_bucket},
                                              {4, "outsider: deletes a bucket", &bucket_story::outsider_deletes_a_bucket},
                                              {6, "outsider: content", &bucket_story::outsider_writes},
                                              {2, "outsider: settings", &bucket_story::outsider_changes_settings},
                                              {1, "operator: other keys", &bucket_story::operator_rotates}};
  if (home_.now() < data_.away_until) return home_.at(data_.away_until + 1s, [this] { acts(); });
  for (int tries = 0; tries < 4; ++tries) {
    std::string ns = users_.chance(0.5) ? "ada" : "bob";
    auto& one = drawn<bucket_story>(all, users_);
    if ((this->*one.does)(ns)) return told_.add(one.name);
  }
}

json::value const* bucket_story::find(std::string_view kind, std::string_view ns, std::string_view name) const {
  auto found = data_.objects().find(key_text(kind, ns, name));
  return found == data_.objects().end() ? nullptr : &found->second;
}

json::value const* bucket_story::pick(std::string_view kind, std::string const& ns, std::function<bool(json::value const&)> fits) {
  std::vector<json::value const*> found;
  auto prefix = std::string(kind) + "/" + ns + "/";
  for (auto entry = data_.objects().lower_bound(prefix); entry != data_.objects().end() && entry->first.starts_with(prefix); ++entry)
    if (!fits || fits(entry->second)) found.push_back(&entry->second);
  return found.empty() ? nullptr : found[users_.below(found.size())];
}

bool bucket_story::remove(json::value const* one) {
  if (one) (void)data_.remove({.object = gateway::ref_of(*one)});
  return one != nullptr;
}

json::value bucket_story::some_default_access() {
  json::value access = json::object{{"credentialsSecretName", one_of(secret_names, users_)}};
  if (users_.chance(0.3)) access.set("role", "Reader");
  return access;
}

json::value bucket_story::new_buckety(std::string const& ns, std::string const& name) {
  json::value spec = json::object{{"backend", one_of(backends, users_)}};
  if (std::string bucket = one_of(bucket_names, users_); !bucket.empty()) spec.set("name", bucket);
  if (users_.chance(0.6)) spec.set("retentionPolicy", "Delete");
  if (users_.chance(0.3)) spec.set("adoption", "Adopt");
  if (users_.chance(0.5)) spec.set("defaultAccess", some_default_access());
  if (users_.chance(0.3)) spec.set("parameters", json::object{{"versioning", users_.chance(0.5) ? "true" : "false"}});
  json::value labels = json::object{{"v", users_.chance(0.5) ? "one" : "two"}};
  json::value metadata = json::object{{"name", name}, {"namespace", ns}, {"labels", std::move(labels)}};
  return json::object{{"apiVersion", std::string(proto::buckety::info.api_version)},
                      {"kind", std::string(proto::buckety::info.kind)},
                      {"metadata", std::move(metadata)},
                      {"spec", std::move(spec)}};
}

bool bucket_story::user_makes(std::string const& ns) { return data_.create(new_buckety(ns, one_of(object_names, users_))).has_value(); }

/// At the same instant, in both namespaces; sometimes over an empty bucket of somebody else.
bool bucket_story::user_makes_rivals(std::string const&) {
  auto backend = one_of(backends, users_);
  int made = 0;
  if (users_.chance(0.5)) put_bucket({store_of(*bucket_configuration()->find(backend)), "shared"}, 0);
  for (auto* ns : {"ada", "bob"})
    for (auto* name : object_names) {
      auto one = new_buckety(ns, name);
      one.find("spec")->set("backend", backend), one.find("spec")->set("name", "shared");
      made += data_.create(std::move(one)).has_value();
    }
  return made > 1;
}

bool bucket_story::user_deletes(std::string const& ns) { return remove(pick(proto::buckety::info.kind, ns)); }

/// The same name again, at the moment when the old one is gone.
bool bucket_story::user_makes_again(std::string const& ns) {
  auto* one = pick(proto::buckety::info.kind, ns);
  if (!one) return false;
  auto again = new_buckety(ns, std::string(one->text("metadata.name")));
  if (users_.chance(0.7)) again.set("spec", *one->find("spec"));
  make_when_gone(std::move(again), 600);
  return remove(one);
}

void bucket_story::make_when_gone(json::value manifest, int left) {
  if (data_.create(manifest) || left == 0) return;
  home_.at(home_.now() + 300ms, [this, manifest = std::move(manifest), left]() mutable { make_when_gone(std::move(manifest), left - 1); });
}

bool bucket_story::user_edits(std::string const& ns) {
  auto* one = pick(proto::buckety::info.kind, ns);
  if (!one) return false;
  auto edited = *one;
  edited.erase("status");
  auto& spec = *edited.find("spec");
  switch (users_.below(4)) {
    case 0:
      spec.set("retentionPolicy", spec.text("retentionPolicy") == "Delete" ? "Retain" : "Delete");
      break;
    case 1:
      spec.set("adoption", spec.text("adoption") == "Adopt" ? "AdoptEmpty" : "Adopt");
      break;
    case 2:
      users_.chance(0.3) ? void(spec.erase("defaultAccess")) : void(spec.set("defaultAccess", some_default_access()));
      break;
    default:
      spec.set("parameters", json::object{{"versioning", users_.chance(0.5) ? "true" : "false"}});
  }
  return data_.apply(std::move(edited)).has_value();
}

bool bucket_story::user_relabels(std::string const& ns) {
  auto* one = pick(proto::buckety::info.kind, ns);
  if (!one) return false;
  return data_.patch({.object = gateway::ref_of(*one), .labels = {{"v", users_.chance(0.5) ? "one" : "two"}}}).has_value();
}

json::value bucket_story::new_access(std::string const& ns, std::string const& name) {
  json::value metadata = json::object{{"name", name}, {"namespace", ns}};
  if (users_.chance(0.1)) metadata.set("labels", json::object{{std::string(proto::label::buckety_implicit), "true"}});
  json::value spec = json::object{{"bucketyRef", json::object{{"name", one_of(object_names, users_)}}},
                                  {"credentialsSecretName", one_of(secret_names, users_)}};
  return json::object{{"apiVersion", std::string(proto::buckety_access::info.api_version)},
                      {"kind", std::string(proto::buckety_access::info.kind)},
                      {"metadata", std::move(metadata)},
                      {"spec", std::move(spec)}};
}

/// Sometimes with the name that a defaultAccess would get.
bool bucket_story::user_makes_an_access(std::string const& ns) {
  auto name = users_.chance(0.3) ? std::string(one_of(object_names, users_)) : "reader-" + std::to_string(users_.below(3));
  auto made = data_.create(new_access(ns, name));
  if (made) of_users_.emplace(gateway::uid_of(*made));
  return made.has_value();
}

bool bucket_story::user_deletes_an_access(std::string const& ns) { return remove(pick(proto::buckety_access::info.kind, ns)); }

bool bucket_story::user_deletes_a_namespace(std::string const& ns) {
  if (!data_.delete_namespace(ns)) return false;
  json::value again = json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", ns}}}};
  make_when_gone(std::move(again), 30'000);
  return true;
}

}  // namespace kopiur::simulation
