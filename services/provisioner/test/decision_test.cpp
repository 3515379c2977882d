#include "services/provisioner/test/scene.hpp"

namespace kopiur::provisioner {
namespace {

using enum proto::resource_provenance;

/// Takes the pass of a new Buckety up to the given inspection.
void find_resource(scene& it, buckety::inspection found) {
  EXPECT_TRUE(it.expect<inspect>().content);
  it.known.inspected = found;
  it.expect<take_claim>();
  it.known.claimed = claim::Held, it.known.inspected.reset();
  EXPECT_TRUE(it.expect<inspect>().content) << "what was seen without the claim may have changed";
  it.known.inspected = found;
}

/// The same for a resource with content that the claim records as the object's own.
void find_recorded(scene& it) {
  it.known.inspected = buckety::inspection{.exists = true, .empty = false};
  it.expect<read_claim>();
  it.known.recorded = true;
  it.expect<take_claim>();
  it.known.claimed = claim::Held;
}

TEST(Provide, ClaimsLooksMakesAndStampsBeforeAnythingElse) {
  scene it;
  it.object().spec.name = "${namespace}-${name}-${backend.zone}";
  find_resource(it, {});
  EXPECT_EQ(it.expect<create>().name, "home-photos-eu");
  it.known.created = buckety::create_result::Made;
  auto stamped = it.expect<finished>();
  EXPECT_EQ(reason_of(stamped), "Provisioning");
  EXPECT_EQ(stamped.status->observed_generation, 0) << "its settings and its access are not in effect yet";
  EXPECT_EQ(stamped.status->status.text("provenance"), "Created");
  EXPECT_EQ(stamped.status->status.text("backendResourceName"), "home-photos-eu");
  EXPECT_EQ(stamped.status->status.text("backendStore"), "s3");
  EXPECT_EQ(*stamped.status->status.at("driverMajor")->as_int(), 0) << "a stamp like any other: spec/buckety.md 5.2";
  EXPECT_FALSE(stamped.free_claim);
}

TEST(Provide, IsReadyOnceItExistsWithItsSettings) {
  scene it;
  it.stamp(Created);
  it.known.inspected = buckety::inspection{.exists = true};
  it.expect<compare>();
  it.known.compared = alignment::Same;
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "EnsuredOnBackend");
  EXPECT_EQ(end.status->observed_generation, 3);
  EXPECT_EQ(command_in<proto::record_event>(end)->reason, "Provisioned");
}

TEST(Provide, StartsWithItsFinalizer) {
  scene it;
  it.object().metadata.finalizers.clear();
  auto end = it.expect<finished>();
  EXPECT_EQ(command_in<proto::patch_metadata>(end)->add_finalizers.at(0), "buckety.yolean.se/cleanup");
  EXPECT_FALSE(end.status);
}

/// spec/buckety.md 5.3 (2): Created before a real creation made a later deletion delete what somebody else had made.
TEST(Provide, IsCreatedOnlyAfterARealCreation) {
  scene it;
  find_resource(it, {});
  it.known.created = buckety::create_result::ExistsAlready;
  auto raced = it.expect<finished>();
  EXPECT_FALSE(raced.status->status.find("provenance"));
  it.known.created = call_failed{"no"};
  auto failed = it.expect<finished>();
  EXPECT_EQ(reason_of(failed), "EnsureFailed");
  EXPECT_FALSE(failed.status->status.find("provenance"));
  EXPECT_TRUE(failed.free_claim) << "an object without a resource keeps its name from nobody";
  EXPECT_GT(failed.again.count(), 0) << "5.3 (6): it is tried again";
}

TEST(Provide, RemembersItsOwnCreationAfterACrash) {
  scene it;
  find_recorded(it);
  it.known.made_by_us = true;
  EXPECT_EQ(it.expect<finished>().status->status.text("provenance"), "Created");
}

TEST(Provide, AdoptsOnlyWhatIsEmptyUnlessAskedTo) {
  scene it;
  find_resource(it, {.exists = true, .empty = true});
  it.expect<record_adoption>();
  it.known.adopted_by_us = true;
  EXPECT_EQ(it.expect<finished>().status->status.text("provenance"), "Adopted");
  it.known.inspected = buckety::inspection{.exists = true, .empty = false};
  it.object().spec.adoption = proto::resource_adoption::Adopt;
  auto adopted = it.expect<finished>();
  EXPECT_EQ(adopted.status->status.text("provenance"), "Adopted");
  auto* told = std::get_if<proto::record_event>(&adopted.commands.back());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->reason, "Adopted");
  it.known.adopted_by_us = false;
  it.expect<record_adoption>();
}

/// The stamp is still on the way, and somebody has written content: a replica that has not seen the stamp refused it, and freed the name.
TEST(Provide, RemembersItsAdoption) {
  scene it;
  find_recorded(it);
  it.known.adopted_by_us = true;
  auto end = it.expect<finished>();
  EXPECT_EQ(end.status->status.text("provenance"), "Adopted");
  EXPECT_FALSE(end.free_claim);
  it.known.inspected = call_failed{"no"};
  EXPECT_FALSE(it.expect<finished>().free_claim);
}

/// Objects that are refused the same name took its claim from each other without end, and their statuses changed every few seconds.
TEST(Provide, WhatIsRefusedTakesNoClaim) {
  scene it;
  it.expect<inspect>();
  it.known.inspected = buckety::inspection{.exists = true, .empty = false};
  it.expect<read_claim>();
  it.known.recorded = false;
  auto refused = it.expect<finished>();
  EXPECT_EQ(reason_of(refused), "BackendResourceExists");
  EXPECT_FALSE(refused.free_claim);
  it.known.inspected = call_failed{"no"};
  EXPECT_EQ(reason_of(it.expect<finished>()), "InspectFailed");
  find_resource(it = scene{}, {});
  it.known.inspected = buckety::inspection{.exists = true, .empty = false};
  EXPECT_TRUE(it.expect<finished>().free_claim) << "somebody was faster";
}

/// 5.3 (3): the second Buckety of a name adopted it, and its deletion destroyed the data of the first.
TEST(Provide, ANameBelongsToOneObject) {
  scene it;
  proto::buckety other;
  other.status = {.backend = "another name of the same store", .backend_store = "s3", .backend_resource_name = "photos"};
  it.names.note({"away", "theirs"}, &other);
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "BackendResourceExists");
  EXPECT_TRUE(ready_of(end).message.contains("away/theirs"));
  it.names.note({"away", "theirs"}, nullptr);
  it.known.claimed = taken{"away/other"};
  EXPECT_TRUE(ready_of(it.expect<finished>()).message.contains("away/other"));
}

TEST(Provide, AnotherReplicaIsWaitedFor) {
  scene it;
  it.known.claimed = claim::Busy;
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "Provisioning");
  EXPECT_EQ(condition_in(end, "Reconciling")->status, "True");
}

/// 5.3 (5): a look before a creation, and no write in a pass without a difference.
TEST(Provide, WritesNothingWhenNothingDiffers) {
  scene it;
  it.stamp(Created);
  EXPECT_FALSE(it.expect<inspect>().content);
  it.known.inspected = buckety::inspection{.exists = true};
  it.expect<compare>();
  it.known.compared = alignment::Same;
  it.expect<finished>();
  it.known.compared = alignment::Different;
  it.expect<take_claim>();
  it.known.claimed = claim::Held;
  it.expect<align>();
  it.known.aligned = alignment::Same;
  EXPECT_EQ(reason_of(it.expect<finished>()), "EnsuredOnBackend");
}

TEST(Provide, AResourceThatSomebodyDeletedIsMadeAgainUnderTheName) {
  scene it;
  it.stamp(Adopted);
  it.known.inspected = buckety::inspection{};
  it.expect<take_claim>();
  it.known.claimed = claim::Held;
  it.expect<create>();
  it.known.created = buckety::create_result::Made;
  it.known.compared = alignment::Same;
  auto end = it.expect<finished>();
  EXPECT_EQ(end.status->status.text("provenance"), "Adopted") << "stamped once";
  EXPECT_TRUE(std::ranges::any_of(end.commands, [](auto& each) {
    auto* event = std::get_if<proto::record_event>(&each);
    return event && event->reason == "ResourceMadeAgain" && event->type == "Warning";
  })) << "that its content is lost is said";
}

/// What somebody else made while ours was missing is somebody else's.
TEST(Provide, AResourceThatSomebodyElseMadeAgainIsAdopted) {
  scene it;
  it.stamp(Created);
  it.known.inspected = buckety::inspection{};
  it.known.claimed = claim::Held;
  it.known.created = buckety::create_result::ExistsAlready;
  EXPECT_EQ(it.expect<finished>().status->status.text("provenance"), "Adopted");
}

TEST(Provide, AnotherStoreUnderTheSameNamePausesIt) {
  scene it;
  it.stamp(Created);
  it.object().status.backend_store = "elsewhere:9000";
  auto end = it.expect<finished>();
  EXPECT_EQ(condition_in(end, "BackendUnavailable")->reason, "StoreChanged");
  EXPECT_EQ(end.status->status.text("backendStore"), "elsewhere:9000");
}

/// Consumers that read no Secret have it from the status; what the configuration no longer has is removed from it.
TEST(Provide, SaysHowItIsReached) {
  scene it;
  it.stamp(Created);
  it.object().status.connection = {{"region", "eu"}, {"endpoint", "http://old"}};
  it.known.inspected = call_failed{"no"};
  auto end = it.expect<finished>();
  EXPECT_EQ(json::dump(*end.status->status.at("connection")), R"({"bucket":"photos","endpoint":"http://s3","region":null})");
  it.config = config_with("renamed");
  EXPECT_EQ(it.expect<finished>().status->status.text("connection.endpoint"), "http://old") << "as long as its backend is unknown";
}

/// spec/buckety.md 5.3 (6): drift that somebody repaired was never noticed.
TEST(Provide, DriftIsReportedAndLookedAtAtTheCadence) {
  scene it;
  it.stamp(Created);
  it.known.inspected = buckety::inspection{.exists = true};
  it.known.compared = drifted{"partitions: current=3 requested=1"};
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "ParameterDrift");
  EXPECT_EQ(condition_in(end, "ParameterDrift")->status, "True");
  EXPECT_EQ(end.again.count(), 0) << "at the cadence";
}

TEST(Provide, ABackendThatIsGonePausesIt) {
  scene it;
  it.config = config_with("renamed");
  it.stamp(Created);
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "BackendUnavailable");
  EXPECT_EQ(condition_in(end, "BackendUnavailable")->reason, "NotInConfig");
  EXPECT_EQ(end.status->status.text("backend"), "objects") << "sticky";
}

TEST(Provide, AnotherMajorVersionPausesIt) {
  scene it;
  it.stamp(Created);
  it.object().status.driver_major = 7;
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "DriverVersionIncompatible");
  EXPECT_EQ(*end.status->status.at("driverMajor")->as_int(), 7);
}

TEST(Provide, WhatIsInvalidNamesItsKey) {
  scene it;
  it.object().spec.parameters["versionin"] = "true";
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "InvalidParameters");
  EXPECT_TRUE(ready_of(end).message.contains("versionin"));
  it.object().spec = {.backend = "objects", .name = "${label['team']}"};
  EXPECT_EQ(reason_of(it.expect<finished>()), "NameTemplate");
  it.object().spec.name = "Upper";
  EXPECT_EQ(reason_of(it.expect<finished>()), "NameInvalid");
}

// ---- the access of a single consumer

scene provided() {
  scene it;
  it.stamp(Created);
  it.object().spec.default_access = proto::default_access{.credentials_secret_name = "photos-secret"};
  it.known.inspected = buckety::inspection{.exists = true};
  it.known.compared = alignment::Same;
  return it;
}

TEST(DefaultAccess, IsARealAccessOfThisObject) {
  auto it = provided();
  auto end = it.expect<finished>();
  auto* made = command_in<proto::create_object>(end);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->object.text("metadata.name"), "photos");
  EXPECT_EQ(made->object.at("metadata.ownerReferences")->as_array()->at(0).text("uid"), "u1");
  EXPECT_FALSE(ready_of(end).status == "True");
}

/// Text: Ready only when the implicit access's Secret is in sync.
TEST(DefaultAccess, GatesReadyUntilItsSecretIsInSync) {
  auto it = provided();
  auto& access = it.implicit();
  EXPECT_EQ(reason_of(it.expect<finished>()), "Provisioning");
  access.status.conditions = {{.type = "Ready", .status = proto::condition_status::False, .reason = "SecretConflict", .message = "taken"}};
  EXPECT_EQ(reason_of(it.expect<finished>()), "SecretConflict") << "no generation is in effect: the Buckety waited for one without end";
  access.status.conditions[0] = {.type = "Ready", .status = proto::condition_status::False, .reason = "WaitingForBuckety"};
  EXPECT_EQ(reason_of(it.expect<finished>()), "Provisioning");
  access.status.conditions[0] = {.type = "Ready", .status = proto::condition_status::True, .reason = "SecretMinted"};
  EXPECT_EQ(reason_of(it.expect<finished>()), "Provisioning") << "of an older generation";
  access.status.observed_generation = 1;
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "EnsuredOnBackend");
  EXPECT_EQ(end.status->observed_generation, 3);
}

TEST(DefaultAccess, GivesWayToTheFirstExplicitOneWhichGatesNothing) {
  auto it = provided();
  it.implicit();
  it.access("reader");
  EXPECT_EQ(command_in<proto::delete_object>(it.expect<finished>())->object.uid, "a-photos");
  it.all.of<proto::buckety_access>().erase({"home", "photos"});
  EXPECT_EQ(reason_of(it.expect<finished>()), "EnsuredOnBackend") << "an explicit access that is not in sync";
}

/// 5.3 (9): a label is what a user may write too.
/// Another consumer must not take a repository's Secret away.
TEST(DefaultAccess, StaysWhileARepositoryUsesIt) {
  auto it = provided();
  auto& mine = it.implicit();
  mine.status.observed_generation = 1;
  mine.status.conditions = {{.type = "Ready", .status = proto::condition_status::True, .reason = "SecretMinted"}};
  it.access("reader");
  it.repository("nas");
  EXPECT_EQ(reason_of(it.expect<finished>()), "EnsuredOnBackend");
  it.repository("nas", "reader");
  EXPECT_TRUE(command_in<proto::delete_object>(it.expect<finished>())) << "it uses the explicit one";
  it.all.of<proto::buckety_access>().erase({"home", "photos"});
  it.repository("nas");
  EXPECT_TRUE(command_in<proto::create_object>(it.expect<finished>())) << "it is made again for a repository";
}

TEST(DefaultAccess, IsKnownByItsOwnerNotByItsLabel) {
  auto it = provided();
  auto& theirs = it.access("photos");
  theirs.metadata.labels[std::string(proto::label::buckety_implicit)] = "true";
  EXPECT_EQ(reason_of(it.expect<finished>()), "EnsuredOnBackend") << "an explicit access: none is made beside it";
  theirs.spec.buckety_ref.name = "another";
  auto end = it.expect<finished>();
  EXPECT_EQ(reason_of(end), "SecretConflict") << "its name is taken by an access of another Buckety";
  EXPECT_FALSE(command_in<proto::delete_object>(end));
}

// ---- deletion

scene deleting(proto::resource_provenance origin) {
  scene it;
  it.stamp(origin);
  it.object().spec.retention_policy = proto::resource_retention::Delete;
  it.mark_deleted();
  return it;
}

/// D19: a live read, Created, a stamped name, the claim.
TEST(Deletion, DeletesOnlyWithAllEvidence) {
  auto it = deleting(Created);
  it.expect<take_claim>();
  it.known.claimed = claim::Held;
  it.expect<read_live>();
  auto live = it.object();
  live.metadata.uid = "u2";
  it.known.live = live;
  EXPECT_EQ(reason_of(it.expect<finished>()), "DeletingContents") << "another object of that name";
  live = it.object(), live.spec.retention_policy = proto::resource_retention::Retain;
  it.known.live = live;
  EXPECT_FALSE(command_in<proto::patch_metadata>(it.expect<finished>())) << "the live object says Retain, the known one Delete";
  it.known.live = object_gone{};
  auto gone = it.expect<finished>();
  EXPECT_TRUE(gone.commands.empty() && !gone.status) << "it is deleted already";
  it.known.live = it.object();
  it.expect<remove_resource>();
  it.known.removed = removal::Emptying;
  auto waiting = it.expect<finished>();
  EXPECT_EQ(reason_of(waiting), "DeletingContents");
  EXPECT_FALSE(command_in<proto::patch_metadata>(waiting));
  it.known.removed = removal::Done;
  auto end = it.expect<finished>();
  EXPECT_EQ(command_in<proto::patch_metadata>(end)->remove_finalizers.size(), 1u);
  EXPECT_GT(end.again.count(), 0) << "the command may be lost";
}

/// Between the removal and the end of the finalizer somebody makes a resource of that name.
TEST(Deletion, HappensOnce) {
  auto it = deleting(Created);
  it.known.claimed = claim::Held;
  it.known.removed_by_us = true;
  EXPECT_TRUE(command_in<proto::patch_metadata>(it.expect<finished>()));
}

TEST(Deletion, NeverOfWhatAnotherObjectHas) {
  auto it = deleting(Created);
  it.known.claimed = taken{"away/other"};
  EXPECT_EQ(command_in<proto::record_event>(it.expect<finished>())->reason, "RetainedOnDelete");
  it.known.claimed.reset();
  proto::buckety other;
  other.status = {.backend_store = "s3", .backend_resource_name = "photos"};
  it.names.note({"away", "theirs"}, &other);
  EXPECT_EQ(command_in<proto::record_event>(it.expect<finished>())->reason, "RetainedOnDelete");
}

/// Deleted before its stamp was written: only the claim knows that its own call made the resource.
TEST(Deletion, FindsWhatWasMadeWithoutAStamp) {
  scene it;
  it.object().spec.retention_policy = proto::resource_retention::Delete;
  it.mark_deleted();
  it.expect<take_claim>();
  it.known.claimed = claim::Held;
  auto nothing = it.expect<finished>();
  EXPECT_TRUE(command_in<proto::patch_metadata>(nothing));
  EXPECT_TRUE(nothing.free_claim);
  it.known.made_by_us = true;
  it.expect<read_live>();
  it.known.live = it.object();
  it.expect<remove_resource>();
}

/// The claims were lost with the bus, and the deletion of a rival took that of the object that has the name: its resource was left.
TEST(Deletion, OfARivalTakesNoClaim) {
  scene it;
  it.object().spec.retention_policy = proto::resource_retention::Delete;
  it.mark_deleted();
  proto::buckety other;
  other.status = {.backend_store = "s3", .backend_resource_name = "photos"};
  it.names.note({"away", "theirs"}, &other);
  EXPECT_TRUE(command_in<proto::patch_metadata>(it.expect<finished>()));
}

TEST(Deletion, IsPausedByAnotherStore) {
  auto it = deleting(Created);
  it.object().status.backend_store = "elsewhere";
  EXPECT_EQ(reason_of(it.expect<finished>()), "BackendUnavailable");
}

TEST(Deletion, NeverOfWhatWasAdopted) {
  auto it = deleting(Adopted);
  auto end = it.expect<finished>();
  EXPECT_EQ(command_in<proto::record_event>(end)->reason, "RetainedOnDelete");
  EXPECT_TRUE(command_in<proto::patch_metadata>(end));
}

/// spec/buckety.md 5.2: a deletion without its backend dropped the finalizer, and left the topic to nobody.
TEST(Deletion, RetainTouchesNoBackendEvenOneThatIsGone) {
  auto it = deleting(Created);
  it.config = config_with("renamed");
  EXPECT_EQ(reason_of(it.expect<finished>()), "BackendUnavailable");
  EXPECT_TRUE(ready_of(it.expect<finished>()).message.starts_with("deletion blocked"));
  it.object().spec.retention_policy = proto::resource_retention::Retain;
  EXPECT_TRUE(command_in<proto::patch_metadata>(it.expect<finished>())) << "Retain releases a blocked deletion";
}

/// 5.3 (10): the driver's major version counts on the delete path too.
TEST(Deletion, IsPausedByAnotherMajorVersion) {
  auto it = deleting(Created);
  it.object().status.driver_major = 9;
  EXPECT_EQ(reason_of(it.expect<finished>()), "DriverVersionIncompatible");
}

TEST(Deletion, WaitsForAccessesAndRemovesItsOwn) {
  auto it = deleting(Created);
  it.access("reader");
  it.implicit();
  auto blocked = it.expect<finished>();
  EXPECT_EQ(condition_in(blocked, "BlockedByAccesses")->status, "True");
  EXPECT_TRUE(ready_of(blocked).message.contains("reader"));
  EXPECT_FALSE(command_in<proto::delete_object>(blocked)) << "never cascades";
  it.all.of<proto::buckety_access>().erase({"home", "reader"});
  auto revoking = it.expect<finished>();
  EXPECT_EQ(reason_of(revoking), "RevokingAccesses");
  EXPECT_EQ(command_in<proto::delete_object>(revoking)->object.uid, "a-photos");
}

/// Its bucket has their backups.
TEST(Deletion, WaitsForRepositoriesWhateverThePolicyIs) {
  auto it = deleting(Created);
  it.implicit();
  it.repository("nas");
  it.repository("other").spec.backend = proto::s3_backend{.bucket = "photos"};
  auto blocked = it.expect<finished>();
  EXPECT_EQ(reason_of(blocked), "DeletionBlocked");
  EXPECT_EQ(ready_of(blocked).message, "These repositories have their backups in it; delete them first: Repository nas.");
  EXPECT_EQ(condition_in(blocked, "BlockedByRepositories")->status, "True");
  EXPECT_FALSE(condition_in(blocked, "BlockedByAccesses"));
  EXPECT_FALSE(command_in<proto::delete_object>(blocked)) << "deletions of Backups still need the Secret";
  it.object().spec.retention_policy = proto::resource_retention::Retain;
  EXPECT_EQ(reason_of(it.expect<finished>()), "DeletionBlocked") << "its Secret would be deleted";
  it.access("reader");
  EXPECT_TRUE(ready_of(it.expect<finished>()).message.starts_with("These accesses use it; delete them first: reader. These repositories"));
  it.all.of<proto::buckety_access>().erase({"home", "reader"});
  it.all.of<proto::repository>().erase({"home", "nas"});
  EXPECT_EQ(reason_of(it.expect<finished>()), "RevokingAccesses");
}

TEST(Deletion, WaitsForASharedRepositoryOfItsNamespaceAlone) {
  auto it = deleting(Created);
  auto& shared = it.all.of<proto::cluster_repository>()[{"", "shared"}];
  shared.metadata.name = "shared";
  shared.spec.common.backend = proto::s3_backend{.buckety_ref = proto::buckety_ref{.name = "photos", .namespace_ = "home"}};
  EXPECT_TRUE(ready_of(it.expect<finished>()).message.contains("ClusterRepository shared"));
  std::get<proto::s3_backend>(shared.spec.common.backend).buckety_ref->namespace_ = "away";
  it.expect<take_claim>();
  it.all.of<proto::repository>()[{"away", "nas"}] = it.repository("nas");
  it.all.of<proto::repository>().at({"away", "nas"}).metadata.namespace_ = "away";
  it.all.of<proto::repository>().erase({"home", "nas"});
  it.expect<take_claim>();
}

/// That a repository does not exist is known from a complete list only.
TEST(Deletion, WaitsWhileARepositoryMayBeUnknown) {
  auto it = deleting(Created);
  it.all.unreadable.insert(proto::key_to<proto::repository>("home", "broken"));
  EXPECT_TRUE(ready_of(it.expect<finished>()).message.contains("Repository broken (which kopiur cannot read)"));
  it.all.unreadable = {proto::key_to<proto::cluster_repository>("", "broken")};
  EXPECT_EQ(reason_of(it.expect<finished>()), "DeletionBlocked");
  it.all.unreadable = {proto::key_to<proto::repository>("away", "broken")};
  it.expect<take_claim>();
  it.all.listed = false;
  EXPECT_EQ(reason_of(it.expect<finished>()), "Listing");
}

TEST(Deletion, OfOneWithoutANameNeedsNoBackend) {
  scene it;
  it.config = config_with("renamed");
  it.object().spec.retention_policy = proto::resource_retention::Delete;
  it.mark_deleted();
  EXPECT_TRUE(command_in<proto::patch_metadata>(it.expect<finished>()));
}

// ---- events and words

/// spec/buckety.md 5.2: an Event for each new reason, also from False to False.
TEST(Words, AnEventIsToldOncePerReason) {
  auto it = provided();
  it.object().spec.default_access.reset();
  it.object().status.conditions = {{.type = "Ready", .status = proto::condition_status::True, .reason = "EnsuredOnBackend"}};
  EXPECT_FALSE(command_in<proto::record_event>(it.expect<finished>()));
  it.known.compared = call_failed{"no"};
  auto failed = it.expect<finished>();
  auto* told = command_in<proto::record_event>(failed);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->type, "Warning");
}

TEST(Words, ExceptionsAreStatedAsOverOnceTheyWereStated) {
  auto it = provided();
  it.object().spec.default_access.reset();
  EXPECT_FALSE(condition_in(it.expect<finished>(), "ParameterDrift"));
  it.object().status.conditions = {{.type = "ParameterDrift", .status = proto::condition_status::True}};
  EXPECT_EQ(condition_in(it.expect<finished>(), "ParameterDrift")->status, "False");
}

}  // namespace
}  // namespace kopiur::provisioner
