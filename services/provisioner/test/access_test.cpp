#include "services/provisioner/test/scene.hpp"

namespace kopiur::provisioner {
namespace {

finished end_of(access_step const& what) {
  EXPECT_TRUE(std::holds_alternative<finished>(what));
  auto* end = std::get_if<finished>(&what);
  return end ? *end : finished{};
}

TEST(Access, AsksForASecretWithoutSecretsInIt) {
  scene it;
  it.stamp(proto::resource_provenance::Created);
  it.access("reader");
  auto what = it.next_of("reader");
  auto& command = std::get<mint>(what).command;
  EXPECT_EQ(command.name, "reader-secret");
  EXPECT_EQ(command.owner.uid, "a-reader");
  EXPECT_EQ(command.values.at("bucket"), "photos");
  EXPECT_EQ(command.configured.at("secretAccessKey").field, "secretAccessKey");
  EXPECT_EQ(command.absent, std::vector<std::string>{"region"}) << "a region that was taken out of the configuration goes";
  EXPECT_FALSE(json::write(command).contains("hunter2")) << "no secret on the bus";
  auto minted = end_of(it.next_of("reader", {.minted = proto::answer{}}));
  EXPECT_EQ(reason_of(minted), "SecretMinted");
  EXPECT_EQ(minted.status->status.text("principal"), "s3-root");
}

TEST(Access, ReportsAConflictAndOtherRefusals) {
  scene it;
  it.stamp(proto::resource_provenance::Created);
  it.access("reader");
  auto reason_for = [&](proto::answer_code code) {
    return reason_of(end_of(it.next_of("reader", {.minted = proto::answer{.code = code}})));
  };
  EXPECT_EQ(reason_for(proto::answer_code::AlreadyExists), "SecretConflict");
  EXPECT_EQ(reason_for(proto::answer_code::Forbidden), "SecretWriteFailed");
  EXPECT_EQ(reason_for(proto::answer_code::NotFound), "") << "it is being deleted: nothing is stated";
}

/// spec/buckety.md 5.3 (9): trouble of the Buckety made all of its accesses wait, although their Secrets were valid.
TEST(Access, WaitsForANameOnly) {
  scene it;
  it.access("reader");
  EXPECT_EQ(reason_of(end_of(it.next_of("reader"))), "WaitingForBuckety");
  it.stamp(proto::resource_provenance::Created);
  it.object().status.conditions = {{.type = "Ready", .status = proto::condition_status::False, .reason = "EnsureFailed"}};
  EXPECT_TRUE(std::holds_alternative<mint>(it.next_of("reader")));
  it.all.of<proto::buckety>().clear();
  EXPECT_EQ(reason_of(end_of(it.next_of("reader"))), "BucketyNotFound");
}

TEST(Access, SaysThatARoleHasNoEffectYet) {
  scene it;
  it.stamp(proto::resource_provenance::Created);
  auto& one = it.access("reader");
  one.spec.role = proto::access_role::ReadOnly;
  auto end = end_of(it.next_of("reader", {.minted = proto::answer{}}));
  EXPECT_EQ(condition_in(end, "ScopingNotImplemented")->status, "True");
  one.spec.role = proto::access_role::ReadWrite;
  EXPECT_FALSE(condition_in(end_of(it.next_of("reader", {.minted = proto::answer{}})), "ScopingNotImplemented"));
  one.spec.parameters["bogus"] = "x";
  EXPECT_EQ(reason_of(end_of(it.next_of("reader"))), "InvalidParameters");
}

TEST(Access, DropsItsSecretBeforeItsFinalizer) {
  scene it;
  it.access("reader").metadata.deletion_timestamp = instant(duration(1));
  EXPECT_EQ(std::get<drop>(it.next_of("reader")).command.name, "reader-secret");
  auto unanswered = end_of(it.next_of("reader", {.dropped = proto::answer{.code = proto::answer_code::Unavailable}}));
  EXPECT_FALSE(command_in<proto::patch_metadata>(unanswered));
  EXPECT_TRUE(command_in<proto::patch_metadata>(end_of(it.next_of("reader", {.dropped = proto::answer{}}))));
}

/// All of it deleted at once: deletions of Backups still need the credentials.
TEST(Access, KeepsItsSecretForRepositories) {
  scene it;
  it.access("writer").metadata.deletion_timestamp = instant(duration(1));
  it.repository("nas");
  EXPECT_TRUE(std::holds_alternative<drop>(it.next_of("writer"))) << "used by another access";
  it.repository("nas", "writer");
  auto blocked = end_of(it.next_of("writer"));
  EXPECT_EQ(reason_of(blocked), "DeletionBlocked");
  EXPECT_TRUE(ready_of(blocked).message.contains("Repository nas"));
  it.implicit().metadata.deletion_timestamp = instant(duration(1));
  it.repository("music");
  EXPECT_TRUE(std::holds_alternative<drop>(it.next_of("photos"))) << "it is made again";
  it.mark_deleted();
  EXPECT_EQ(reason_of(end_of(it.next_of("photos"))), "DeletionBlocked") << "its Buckety is going too";
}

TEST(Concern, ARepositoryWakesTheDeletionsThatItMayHoldUp) {
  scene it;
  it.repository("nas");
  auto changed = proto::ref_to<proto::repository>("home", "nas"), shared = proto::ref_to<proto::cluster_repository>("", "all");
  EXPECT_TRUE(concerned_by(it.all, changed).empty());
  it.object().spec.default_access = proto::default_access{.credentials_secret_name = "s"};
  EXPECT_EQ(concerned_by(it.all, changed).size(), 1u) << "it may have to make a default access";
  it.access("writer").metadata.deletion_timestamp = instant(duration(1));
  it.mark_deleted();
  it.all.of<proto::repository>().clear();
  EXPECT_EQ(concerned_by(it.all, changed).size(), 2u) << "deleted: which Buckety it had is not known any more";
  EXPECT_EQ(concerned_by(it.all, shared).size(), 2u);
  EXPECT_TRUE(concerned_by(it.all, proto::ref_to<proto::repository>("away", "nas")).empty());
}

TEST(Concern, ADeletedAccessWakesItsBuckety) {
  scene it;
  auto keys = concerned_by(it.all, proto::ref_to<proto::buckety_access>("home", "gone"));
  EXPECT_EQ(keys.size(), 2u) << "the access, and the Bucketys of its namespace: spec/buckety.md 5.2";
  it.access("reader");
  EXPECT_EQ(concerned_by(it.all, proto::ref_to<proto::secret>("home", "reader-secret")).size(), 1u);
  EXPECT_EQ(concerned_by(it.all, proto::ref_to<proto::secret>("home", "other")).size(), 0u);
  EXPECT_EQ(concerned_by(it.all, proto::ref_to<proto::buckety>("home", "photos")).size(), 2u);
}

}  // namespace
}  // namespace kopiur::provisioner
