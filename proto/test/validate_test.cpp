#include "proto/validate.hpp"

#include <gtest/gtest.h>

#include "common/config/manifest.hpp"
#include "proto/metadata_check.hpp"

namespace kopiur::proto {
namespace {

json::value yaml(std::string_view text) {
  auto read = config::read_manifests(text, "test");
  EXPECT_TRUE(read) << read.error().text();
  return read->front().content;
}
std::string all(std::vector<finding> const& found) {
  std::string out;
  for (auto& each : found) out += each.text() + "\n";
  return out;
}

constexpr auto repository_text = R"(
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: nas, namespace: media}
spec:
  backend: {s3: {bucket: backups}}
  encryption: {passwordSecretRef: {name: repo}}
)";
constexpr auto backup_text = R"(
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Backup
metadata: {name: one, namespace: media}
spec:
  configRef: {name: data}
  tags: {a: b}
)";

TEST(Validate, SaysWhatWhyAndHowToFix) {
  auto object = yaml(repository_text);
  object.find("spec")->find("encryption")->set("passwordSecretref", json::value::make_object());
  EXPECT_EQ(all(validate("Repository", object)),
            "spec.encryption.passwordSecretref: There is no such field here. Did you mean `passwordSecretRef`?\n");
}

TEST(Validate, ReportsEverythingAtOnce) {
  auto found = validate("Repository", yaml(R"(
apiVersion: kopiur.home-operations.com/v1alpha1
kind: Repository
metadata: {name: Nas}
spec: {backend: {s3: {}}, encryption: {}, suspend: maybe}
)"));
  EXPECT_EQ(found.size(), 4u) << all(found);
}

TEST(Validate, StopsAtManyFindings) {
  auto many = [](int count) {
    json::object all;
    for (int i = 0; i < count; ++i) all.emplace_back("_bakend" + std::to_string(i), 1);
    return all;
  };
  auto object = yaml(repository_text);
  object.find("metadata")->set("labels", many(60));
  object.find("metadata")->set("annotations", many(60));
  EXPECT_EQ(validate("Repository", object).size(), max_findings);
  object = yaml(repository_text);
  auto& spec = *object.find("spec")->as_object();
  std::ranges::move(many(100'000), std::back_inserter(spec));
  EXPECT_EQ(validate("Repository", object).size(), max_findings);
  object = yaml(repository_text);
  auto& metadata = *object.find("metadata")->as_object();
  std::ranges::move(many(100'000), std::back_inserter(metadata));
  EXPECT_EQ(validate("Repository", object).size(), max_findings);
}

TEST(Validate, RefusesAKindThatIsNotOurs) {
  EXPECT_EQ(all(validate("Repositry", yaml(repository_text))),
            "kind: `Repositry` is not a kind of kopiur.home-operations.com/v1alpha1. Did you mean `Repository`?\n");
}

TEST(Validate, RefusesAnObjectOverThreeMebibytes) {
  auto object = yaml(repository_text);
  object.find("metadata")->set("annotations", json::value::make_object()).set("big", std::string(3 << 20, 'x'));
  EXPECT_EQ(all(validate("Repository", object)), "The object is larger than 3 MiB, which no API server takes. Split it.\n");
}

TEST(Validate, TakesNullForAbsent) {
  auto object = yaml(repository_text);
  object.find("spec")->set("create", nullptr);
  object.find("spec")->set("cacheDefaults", nullptr);
  EXPECT_EQ(all(validate("Repository", object)), "");
  object.find("spec")->set("encryption", nullptr);
  EXPECT_EQ(validate("Repository", object).size(), 1u);
}

TEST(Validate, AsksTheCallersParsers) {
  auto object = yaml(R"(
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupSchedule
metadata: {name: one}
spec: {configRef: {name: data}, schedule: {cron: 61 * * * *, timezone: Mars/Base}}
)");
  format_checks checks{
      .cron = [](std::string_view text) -> std::optional<std::string> {
        return text.starts_with("61") ? std::optional<std::string>("Minutes end at 59.") : std::nullopt;
      },
      .timezone = [](std::string_view text) -> std::optional<std::string> { return "There is no zone " + std::string(text) + "."; }};
  EXPECT_EQ(all(validate("BackupSchedule", object)), "");
  EXPECT_EQ(all(validate("BackupSchedule", object, checks)),
            "spec.schedule.cron: Minutes end at 59. Correct the cron.\n"
            "spec.schedule.timezone: There is no zone Mars/Base. Use a name of the IANA time zone database.\n");
}

TEST(Defaults, AreThoseOfTheSchema) {
  auto full = with_defaults("Repository", yaml(repository_text));
  EXPECT_EQ(full.text("spec.encryption.passwordSecretRef.key"), "KOPIA_PASSWORD");
  EXPECT_EQ(full.text("spec.catalog.refreshInterval"), "1h");
  EXPECT_EQ(*full.at("spec.deletionProtection.threshold"), json::value(10));
  EXPECT_EQ(full.at("spec.cacheDefaults"), nullptr) << "optional groups stay absent";
  EXPECT_EQ(full.at("status"), nullptr);
}

TEST(Update, FixesAlgorithmsOnceTheRepositoryExists) {
  auto old = yaml(repository_text), now = old;
  now.find("spec")->set("create", json::object{{"enabled", true}, {"hash", "BLAKE3-256"}});
  EXPECT_EQ(all(validate_update("Repository", old, now)), "") << "nothing exists yet";
  old.set("status", json::object{{"uniqueID", "5e9c"}});
  auto found = validate_update("Repository", old, now);
  ASSERT_EQ(found.size(), 1u) << all(found);
  EXPECT_EQ(found[0].path, "spec.create.hash");
  auto same = now;
  same.set("status", json::object{{"uniqueID", "5e9c"}});
  EXPECT_EQ(all(validate_update("Repository", same, now)), "");
  now.find("spec")->find("create")->set("ecc", json::object{{"overheadPercent", 2}});
  EXPECT_EQ(validate_update("Repository", same, now).at(0).path, "spec.create.ecc.overheadPercent");
  now.find("spec")->erase("create");
  EXPECT_EQ(validate_update("Repository", same, now).at(0).path, "spec.create.hash") << "taking it away is a change, too";
}

TEST(Update, FreezesABackupOnceItHasStarted) {
  auto old = yaml(backup_text), now = old;
  now.find("spec")->find("configRef")->set("name", "other");
  EXPECT_EQ(all(validate_update("Backup", old, now)), "");
  old.set("status", json::object{{"phase", "Pending"}});
  EXPECT_EQ(all(validate_update("Backup", old, now)), "");
  for (auto phase : {"Running", "Succeeded", "Failed", "Deleting"}) {
    old.set("status", json::object{{"phase", phase}});
    auto found = validate_update("Backup", old, now);
    ASSERT_EQ(found.size(), 1u) << phase << all(found);
    EXPECT_EQ(found[0].path, "spec.configRef");
  }
  auto may = old;
  may.find("spec")->set("pin", true);
  may.find("spec")->set("deletionPolicy", "Retain");
  may.find("spec")->set("failurePolicy", json::object{{"backoffLimit", 5}});
  EXPECT_EQ(all(validate_update("Backup", old, may)), "");
  auto tagged = old;
  tagged.find("spec")->find("tags")->set("a", "c");
  EXPECT_EQ(validate_update("Backup", old, tagged).at(0).path, "spec.tags");
  auto aimed = old;
  aimed.find("spec")->set("sourcePath", "/pvc/data");
  EXPECT_EQ(validate_update("Backup", old, aimed).at(0).path, "spec.sourcePath");
  auto imported = old;
  imported.find("spec")->set("import", json::object{{"at", "2026-01-01T00:00:00Z"}, {"from", "/old"}});
  EXPECT_EQ(validate_update("Backup", old, imported).at(0).path, "spec.import");
}

constexpr auto config_text = R"(
apiVersion: kopiur.home-operations.com/v1alpha1
kind: BackupConfig
metadata: {name: one, namespace: media}
spec:
  repository: {name: nas}
  identity: {username: -u}
  sources: [{pvc: {name: data}, sourcePathOverride: /data/}]
  policy: {compression: {compressor: ZSTD}}
)";

TEST(Update, LeavesWhatStandsAlone) {
  auto old = yaml(config_text);
  EXPECT_EQ(validate("BackupConfig", old).size(), 3u) << all(validate("BackupConfig", old));
  EXPECT_EQ(all(validate_update("BackupConfig", old, old)), "");
  auto labelled = old;
  labelled.find("metadata")->set("labels", json::object{{"a", "b"}});
  labelled.find("spec")->set("suspend", true);
  labelled.find("spec")->find("policy")->set("shrinkHold", 30);
  EXPECT_EQ(all(validate_update("BackupConfig", old, labelled)), "");
}

TEST(Update, JudgesWhatChanges) {
  auto old = yaml(config_text);
  auto refuses = [&](auto change) {
    auto now = old;
    change(*now.find("spec"));
    auto found = validate_update("BackupConfig", old, now);
    return found.size() == 1 ? found[0].path : all(found);
  };
  EXPECT_EQ(refuses([](auto& spec) { spec.find("policy")->find("compression")->set("compressor", "GZIP"); }),
            "spec.policy.compression.compressor");
  EXPECT_EQ(refuses([](auto& spec) { spec.find("identity")->set("username", "-v"); }), "spec.identity.username");
  EXPECT_EQ(refuses([](auto& spec) { spec.find("identity")->set("hostname", "-h"); }), "spec.identity.hostname");
  EXPECT_EQ(refuses([](auto& spec) { spec.find("sources")->push(json::object{{"pvc", json::object{{"name", "b"}}}}); }),
            "spec.sources[0].sourcePathOverride")
      << "a list without a key is one value, as for an API server";
}

TEST(Update, FollowsAnItemByItsKey) {
  auto object = [](std::string_view status) {
    auto text = std::string(backup_text) + "status: {conditions: [" + std::string(status) + "]}\n";
    return yaml(text);
  };
  auto first = std::string("{type: Ready, status: Maybe, reason: X, message: y, lastTransitionTime: '2026-01-01T00:00:00Z'}");
  auto other = std::string("{type: Stalled, status: 'True', reason: X, message: y, lastTransitionTime: '2026-01-01T00:00:00Z'}");
  EXPECT_EQ(validate("Backup", object(first)).size(), 1u) << all(validate("Backup", object(first)));
  EXPECT_EQ(all(validate_update("Backup", object(first), object(other + ", " + first))), "");
  EXPECT_EQ(validate_update("Backup", object(other), object(other + ", " + first)).size(), 1u);
}

TEST(Names, AreThoseOfKubernetes) {
  for (auto good : {"a", "a-b", "a.b", "0", "data-0.media"}) EXPECT_TRUE(is_object_name(good)) << good;
  for (auto bad : {"", "A", "-a", "a-", "a..b", ".", "..", "a/b", "a_b", "a b", "a.", ".a", "ü", "a\nb"})
    EXPECT_FALSE(is_object_name(bad)) << bad;
  EXPECT_TRUE(is_object_name(std::string(253, 'a')));
  EXPECT_FALSE(is_object_name(std::string(254, 'a')));
  EXPECT_FALSE(is_namespace_name("a.b"));
  EXPECT_FALSE(is_namespace_name(std::string(64, 'a')));
}

}  // namespace
}  // namespace kopiur::proto
