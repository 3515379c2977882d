#include "services/catalog-discovery/core/catalog.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"

namespace kopiur::catalog_discovery {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// One Ready repository `main` in namespace `ns`, and the objects that a test adds.
class shelf {
 public:
  controller::objects all;
  std::vector<snapshot_row> rows;
  std::set<std::string> alive;

  shelf() {
    auto& one = all.of<proto::repository>()[{"ns", "main"}];
    one.metadata.name = "main", one.metadata.namespace_ = "ns", one.metadata.uid = "r";
    one.status.unique_ID = "unique";
    one.status.phase = repository_phase::Ready;
  }
  rules::any_repository repository() { return *rules::find_repository(all, {.name = "main"}, "ns"); }
  void snapshot(std::string id, std::optional<std::string> run = {}, instant end = instant(1h)) {
    rows.push_back({.id = std::move(id), .source = {"u", "h", "/p"}, .end_time = end, .size_bytes = 10, .run = std::move(run)});
  }
  changes look() {
    comparison comparison(rows, [this](std::string const& run) { return alive.contains(run); }, instant(100h));
    while (comparison.step(all, repository(), 1)) continue;
    return std::move(comparison).result();
  }
  /// Gives each row its status, as the gateway would.
  void tell() {
    for (auto& [key, row] : look().untold)
      if (auto found = all.of<backup>().find(key); found != all.of<backup>().end())
        found->second.status = json::decode<backup_status>(status_of(found->second, repository(), row).status).value();
  }
  /// Applies what reconcile() requested to the tables, as the gateway would.
  void take(changes const& wanted) {
    for (auto& each : wanted.create) {
      auto one = json::decode<backup>(each).value();
      one.metadata.uid = "uid-" + one.metadata.name;
      all.of<backup>()[{one.metadata.namespace_, one.metadata.name}] = one;
    }
  }
};

TEST(Reconcile, MakesABackupOfAForeignSnapshotOnce) {
  shelf s;
  s.snapshot("s1");
  auto wanted = s.look();
  ASSERT_EQ(wanted.create.size(), 1u);
  EXPECT_EQ(wanted.create[0].text("metadata.namespace"), "ns");
  s.take(wanted);
  EXPECT_TRUE(s.look().create.empty());
  ASSERT_EQ(s.look().untold.size(), 1u) << "it has no status yet";
  auto& [key, made] = *s.all.of<backup>().begin();
  auto claim = status_of(made, s.repository(), s.look().untold.at(key));
  EXPECT_EQ(claim.uid, made.metadata.uid);
  EXPECT_EQ(claim.status.text("phase"), "Discovered");
  EXPECT_EQ(claim.status.text("snapshot.kopiaSnapshotID"), "s1");
  EXPECT_EQ(claim.status.text("resolved.repository.name"), "main");
  s.tell();
  EXPECT_TRUE(s.look().untold.empty()) << "it has its status";
}

/// When two lists overlap, a Backup of the older one may have no status: it must be removed all the same (seed 10007).
TEST(Reconcile, RemovesARowWhoseSnapshotWentBeforeItHadAStatus) {
  shelf s;
  s.snapshot("s1");
  s.take(s.look());
  EXPECT_TRUE(s.look().remove.empty());
  EXPECT_EQ(not_listed(s.all.of<backup>().begin()->second).conditions.at(0).reason, "NotListed");
  s.rows.clear();
  EXPECT_EQ(s.look().remove.size(), 1u);
  auto& other = s.all.of<proto::repository>()[{"ns", "other"}];
  other.metadata.name = "other", other.metadata.namespace_ = "ns", other.status.unique_ID = "unique-too";
  auto by_other = [&] {
    auto there = *rules::find_repository(s.all, {.name = "other"}, "ns");
    return reconcile(s.all, there, {}, [](std::string const&) { return false; }, instant(100h)).remove.size();
  };
  EXPECT_EQ(by_other(), 0u) << "it was made for another repository";
}

/// Nothing that a user writes makes a Backup a discovered one: deleting it must not delete another user's snapshot (security review, C1).
TEST(Reconcile, BelievesNothingThatAUserHasWrittenIntoABackup) {
  shelf s;
  s.snapshot("theirs");
  auto name = std::string(s.look().create.at(0).text("metadata.name"));
  auto& forged = s.all.of<backup>()[{"ns", "forged"}];
  forged.metadata.name = "forged", forged.metadata.namespace_ = "ns", forged.metadata.uid = "f";
  forged.metadata.annotations = {{"kopiur.home-operations.com/discovered-snapshot", json::write(s.rows[0])},
                                 {"kopiur.home-operations.com/discovered-in", R"({"kind":"Repository","name":"main","namespace":"ns"})"}};
  forged.spec.config_ref = local_ref{"none"};
  EXPECT_FALSE(is_discovered(forged) || awaits_status(forged));
  EXPECT_EQ(s.look().create.size(), 1u) << "the snapshot is shown as before";
  s.rows.clear();
  EXPECT_TRUE(s.look().remove.empty()) << "nor does it go as a row";
  s.snapshot("theirs");

  forged.metadata.name = name;  // the name of the row itself
  s.all.of<backup>()[{"ns", name}] = forged;
  EXPECT_TRUE(s.look().untold.empty()) << "it runs something";
  s.all.of<backup>()[{"ns", name}].spec.config_ref.reset();
  s.all.of<backup>()[{"elsewhere", name}] = s.all.of<backup>()[{"ns", name}];
  auto untold = s.look().untold;
  ASSERT_EQ(untold.size(), 1u) << "it is what this service would have made";
  EXPECT_EQ(untold.begin()->first.namespace_, "ns") << "in another namespace it stands for nothing";
}

TEST(Reconcile, LeavesAloneWhatBelongsToABackupOrALiveRun) {
  shelf s;
  s.snapshot("recorded");
  s.snapshot("tagged", "run-1");
  s.snapshot("running", "run-2");
  auto& mine = s.all.of<backup>()[{"ns", "mine"}];
  mine.status.snapshot = backup_snapshot{"recorded", {}};
  auto& other = s.all.of<backup>()[{"ns", "other"}];
  other.metadata.labels[std::string(label::run)] = "run-1";
  s.alive = {"run-2"};
  EXPECT_EQ(s.look().create.size(), 1u) << "a label may be anybody's";
  other.status.job = backup_job{"run-1-1", 1};
  EXPECT_TRUE(s.look().create.empty());
  EXPECT_TRUE(s.look().remove.empty());
  s.alive.clear();
  EXPECT_EQ(s.look().create.size(), 1u) << "the run is over, and nobody claims what it made";
}

// Attempt 2 saves the snapshot, its result is lost, and attempt 3 cannot reach the backend: no Backup records the snapshot.
TEST(Reconcile, ShowsWhatALostAttemptOfAFailedBackupSaved) {
  shelf s;
  s.snapshot("saved", "run-1");
  auto& failed = s.all.of<backup>()[{"ns", "failed"}];
  failed.status.job = backup_job{"run-1-2", 2};
  failed.status.phase = backup_phase::Running;
  EXPECT_TRUE(s.look().create.empty());
  failed.status.phase = backup_phase::Failed;
  EXPECT_EQ(s.look().create.size(), 1u);
}

/// Objects added or deleted between two slices are seen, or do no harm.
TEST(Reconcile, GoesOnWhileObjectsComeAndGo) {
  shelf s;
  for (int n = 0; n < 20; ++n) s.snapshot("s" + std::to_string(n));
  s.take(s.look()), s.tell();
  s.rows.erase(s.rows.begin(), s.rows.begin() + 10);
  comparison comparison(s.rows, [](std::string const&) { return false; }, instant(100h));
  for (int n = 0; comparison.step(s.all, s.repository(), 3); ++n) {
    if (n == 2) s.all.of<backup>().erase(s.all.of<backup>().begin());
    if (n == 3) s.all.of<backup>()[{"ns", "a-new-one"}].metadata.name = "a-new-one";
    if (n == 4) s.all.of<backup>().erase({"ns", "a-new-one"});
  }
  auto wanted = std::move(comparison).result();
  for (auto& each : wanted.remove) EXPECT_EQ(s.all.of<backup>().erase({each.namespace_, each.name}), 1U) << each.name;
  s.take(wanted), s.tell();
  auto then = s.look();
  EXPECT_TRUE(then.create.empty() && then.remove.empty() && then.untold.empty());
  EXPECT_EQ(s.all.of<backup>().size(), 10U) << "as many as there are snapshots";
}

TEST(Reconcile, LooksAtNoMoreThanASliceAtATime) {
  shelf s;
  for (int n = 0; n < 5'000; ++n) s.snapshot("s" + std::to_string(n));
  s.take(s.look()), s.tell();
  comparison comparison(s.rows, [](std::string const&) { return false; }, instant(100h));
  int slices = 1;
  while (comparison.step(s.all, s.repository(), 500)) ++slices;
  EXPECT_GE(slices, 30) << "Backups twice, rows twice";
}

TEST(Reconcile, MakesRowsOfASharedRepositoryOnlyWhereANamespaceTakesThem) {
  shelf s;
  auto& shared = s.all.of<cluster_repository>()[{"", "shared"}];
  shared.metadata.name = "shared", shared.metadata.uid = "c";
  shared.status.unique_ID = "unique-too";
  shared.spec.allowed_namespaces = namespaces_all{true};
  shared.spec.common.catalog.fallback_namespace = "vault";
  s.snapshot("s1");
  s.rows[0].source.hostname = "media";
  auto made_in = [&] {
    auto repository = *rules::find_repository(s.all, {.kind = repository_kind::ClusterRepository, .name = "shared"}, "");
    auto wanted = reconcile(s.all, repository, s.rows, [](std::string const&) { return false; }, instant(100h));
    return wanted.create.empty() ? std::string() : std::string(wanted.create[0].text("metadata.namespace"));
  };
  EXPECT_EQ(made_in(), "media") << "outside a cluster a namespace needs no object";
  s.all.of<core_namespace>()[{"", "vault"}].metadata.name = "vault";
  EXPECT_EQ(made_in(), "vault") << "there is no namespace media";
  auto& media = s.all.of<core_namespace>()[{"", "media"}];
  media.metadata.name = "media";
  EXPECT_EQ(made_in(), "media");
  shared.spec.allowed_namespaces = namespaces_listed{{"archive"}};
  EXPECT_EQ(made_in(), "vault") << "one that may not use the repository hears nothing of what is in it";
  shared.spec.allowed_namespaces = namespaces_all{true};
  media.metadata.deletion_timestamp = instant(99h);
  s.all.of<backup_config>()[{"media", "recipe"}].metadata.namespace_ = "media";
  EXPECT_EQ(made_in(), "vault") << "one that goes takes nothing new";
}

TEST(Reconcile, RemovesTheRowOfASnapshotThatIsGone) {
  shelf s;
  s.snapshot("s1");
  s.take(s.look());
  s.tell();
  EXPECT_TRUE(s.look().remove.empty());
  s.all.of<backup>()[{"ns", "by-hand"}].metadata.name = "by-hand";  // with a snapshot or without: not the catalog's
  auto& elsewhere = s.all.of<cluster_repository>()[{"", "main"}];   // of the same name
  elsewhere.metadata.name = "main", elsewhere.metadata.uid = "c", elsewhere.status.unique_ID = "unique-too";
  s.rows.clear();
  auto shared = *rules::find_repository(s.all, {.kind = repository_kind::ClusterRepository, .name = "main"}, "");
  EXPECT_TRUE(reconcile(s.all, shared, {}, [](std::string const&) { return false; }, instant(100h)).remove.empty());
  auto wanted = s.look();
  ASSERT_EQ(wanted.remove.size(), 1u);
  EXPECT_EQ(wanted.remove[0].kind, "Backup");
  EXPECT_NE(wanted.remove[0].name, "by-hand");
  s.all.of<backup>().at({"ns", wanted.remove[0].name}).metadata.deletion_timestamp = instant(99h);
  EXPECT_TRUE(s.look().remove.empty()) << "it goes already";
}

TEST(Reconcile, KeepsWithinTheCatalogsBounds) {
  shelf s;
  s.all.of<proto::repository>()[{"ns", "main"}].spec.catalog.retain = catalog_retain{.per_identity = 2};
  for (int i = 1; i <= 5; ++i) s.snapshot("s" + std::to_string(i), {}, instant(1h * i));
  EXPECT_EQ(s.look().create.size(), 2u);
}

TEST(Status, ReadyOnceItWasOpenedAndStaysSoWhileItIsOpenedAgain) {
  shelf s;
  run_state connect{.run = "c",
                    .stage = run_stage::FollowThroughComplete,
                    .outcome = run_outcome::Succeeded,
                    .result = kopia_result{.unique_ID = "unique"}};
  auto claim = status_of(s.all, s.repository(), &connect, nullptr, {});
  EXPECT_EQ(claim.status.text("phase"), "Ready");
  connect.stage = run_stage::Created;
  EXPECT_EQ(status_of(s.all, s.repository(), &connect, nullptr, {}).status.text("phase"), "Ready");
}

TEST(Status, SaysWhyItCannotBeOpened) {
  shelf s;
  run_state connect{.run = "c",
                    .stage = run_stage::FollowThroughComplete,
                    .outcome = run_outcome::Failed,
                    .failure = run_failure{.class_ = kopia_failure::WrongPassword, .message = "The password is another's."}};
  auto claim = status_of(s.all, s.repository(), &connect, nullptr, {});
  EXPECT_EQ(claim.status.text("phase"), "Failed");
  EXPECT_EQ(claim.conditions[0].reason, "WrongPassword");
  EXPECT_EQ(claim.conditions[0].message, "The password is another's.");
}

TEST(Status, SaysThatItIsSuspendedAndWhatEndsIt) {
  shelf s;
  auto& one = s.all.of<proto::repository>()[{"ns", "main"}];
  auto ready = [&] { return status_of(s.all, s.repository(), nullptr, nullptr, {}).conditions[0]; };
  one.spec.suspend = true;
  EXPECT_EQ(ready().reason + ": " + ready().message, "Suspended: Repository main is suspended; set spec.suspend to false.");
  one.spec.suspend = false, one.metadata.annotations[std::string(annotation::suspended)] = "yes";
  EXPECT_EQ(ready().reason + ": " + ready().message,
            "Suspended: Repository main is suspended (yes); run: kopiur resume Repository main -n ns");
}

TEST(DefaultMaintenance, IsMadeOnceAndYieldsToTheUsers) {
  shelf s;
  auto wanted = default_maintenance(s.all, s.repository());
  ASSERT_EQ(wanted.create.size(), 1u);
  auto ours = json::decode<maintenance>(wanted.create[0]).value();
  s.all.of<maintenance>()[{"ns", ours.metadata.name}] = ours;
  EXPECT_TRUE(default_maintenance(s.all, s.repository()).create.empty());
  auto users = ours;
  users.metadata.name = "mine", users.metadata.labels.clear();
  s.all.of<maintenance>()[{"ns", "mine"}] = users;
  EXPECT_EQ(default_maintenance(s.all, s.repository()).remove.size(), 1u);
}

/// Otherwise another user's suspended Maintenance would end the maintenance of this repository.
TEST(DefaultMaintenance, DoesNotYieldToAStrangers) {
  shelf s;
  auto ours = json::decode<maintenance>(default_maintenance(s.all, s.repository()).create.at(0)).value();
  s.all.of<maintenance>()[{"ns", ours.metadata.name}] = ours;
  auto theirs = ours;
  theirs.metadata.name = "theirs", theirs.metadata.namespace_ = "elsewhere", theirs.metadata.labels.clear();
  theirs.spec.repository.namespace_ = "ns";
  s.all.of<maintenance>()[{"elsewhere", "theirs"}] = theirs;
  EXPECT_TRUE(default_maintenance(s.all, s.repository()).remove.empty());
}

/// A Maintenance in a namespace that may only use a shared repository does not count; the default one replaces it at once (H7).
TEST(DefaultMaintenance, OfASharedRepositoryTakesThePlaceOfATenants) {
  shelf s;
  auto& shared = s.all.of<cluster_repository>()[{"", "shared"}];
  shared.metadata.name = "shared", shared.metadata.uid = "s", shared.status.unique_ID = "id-shared";
  shared.spec.common.encryption.password_secret_ref.namespace_ = "vault";
  shared.spec.allowed_namespaces = namespaces_listed{{"tenant"}};
  maintenance theirs;
  theirs.metadata.name = "mine", theirs.metadata.namespace_ = "tenant";
  theirs.spec.repository = {.kind = repository_kind::ClusterRepository, .name = "shared"};
  s.all.of<maintenance>()[{"tenant", "mine"}] = theirs;
  auto repository = *rules::find_repository(s.all, theirs.spec.repository, "tenant");
  auto wanted = default_maintenance(s.all, repository);
  ASSERT_EQ(wanted.create.size(), 1u);
  EXPECT_EQ(wanted.create[0].text("metadata.namespace"), "vault");
  EXPECT_NE(rules::may_not_maintain(s.all, repository, "tenant").value_or("").find("namespace vault alone"), std::string::npos);
  theirs.metadata.namespace_ = "vault";
  s.all.of<maintenance>() = {{{"vault", "mine"}, theirs}};
  EXPECT_TRUE(default_maintenance(s.all, repository).create.empty()) << "its owner's counts";
}

TEST(DefaultMaintenance, IsLookedAtWhenAMaintenanceComesOrGoes) {
  shelf s;
  auto& other = s.all.of<proto::repository>()[{"ns", "other"}];
  other.metadata.name = "other", other.metadata.namespace_ = "ns", other.metadata.uid = "o";
  auto& mine = s.all.of<maintenance>()[{"ns", "mine"}];
  mine.spec.repository = {.name = "main"};
  auto concerned = [&](std::string kind, std::string name) {
    std::string names;
    for (auto& each : repositories_of(s.all, {std::move(kind), "ns", std::move(name), ""})) names += each.name + " ";
    return names;
  };
  EXPECT_EQ(concerned("Maintenance", "mine"), "main ");
  EXPECT_EQ(concerned("Maintenance", "gone"), "main other ");
  EXPECT_EQ(concerned("Repository", "main"), "main ");
  EXPECT_EQ(concerned("Backup", "mine"), "");
}

/// The repository's status must count discovered Backups at once, not a minute later with the resync (seed 20162).
TEST(Count, MayChangeWhenARowComesOrGoes) {
  shelf s;
  s.snapshot("s1");
  s.take(s.look());
  auto& row = s.all.of<backup>().begin()->second;
  auto may_change = [&](std::string kind, std::string name) {
    return may_change_count(s.all, {std::move(kind), "ns", std::move(name), ""});
  };
  EXPECT_FALSE(may_change("Backup", row.metadata.name)) << "it may be anything";
  s.tell();
  EXPECT_TRUE(may_change("Backup", row.metadata.name));
  EXPECT_TRUE(may_change("Backup", "discovered-and-gone"));
  s.all.of<backup>()[{"ns", "taken-here"}].metadata.name = "taken-here";
  EXPECT_FALSE(may_change("Backup", "taken-here"));
  EXPECT_FALSE(may_change("Backup", "taken-here-and-gone"));
  EXPECT_FALSE(may_change("Restore", "discovered-and-gone"));
}

}  // namespace
}  // namespace kopiur::catalog_discovery
