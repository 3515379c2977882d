#include "services/provisioner/test/cloud.hpp"

/// The whole service in three replicas.
namespace kopiur::provisioner {
namespace {

constexpr char const* with_access = R"("backend":"objects","retentionPolicy":"Delete","defaultAccess":{"credentialsSecretName":"NAME"})";
std::string spec_of(std::string const& secret) {
  std::string spec = with_access;
  return spec.replace(spec.find("NAME"), 4, secret);
}

TEST(Service, ThreeReplicasMakeEachResourceOnce) {
  cloud_stage it;
  for (int i = 0; i < 8; ++i) it.buckety("bucket-" + std::to_string(i), spec_of("s" + std::to_string(i)));
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("bucket-" + std::to_string(i)); })) << it.reason("bucket-" + std::to_string(i));
  EXPECT_EQ(it.sky.made, 8);
  for (int i = 0; i < 8; ++i)
    EXPECT_FALSE(it.object("Secret", "s" + std::to_string(i)).is_null()) << "Ready means that the Secret is there";
  for (int i = 0; i < 8; ++i) it.remove("bucket-" + std::to_string(i));
  for (int i = 0; i < 8; ++i)
    ASSERT_TRUE(it.within(60s, [&] { return it.is_gone("bucket-" + std::to_string(i)); })) << it.reason("bucket-" + std::to_string(i));
  EXPECT_TRUE(it.sky.buckets.empty());
  for (int i = 0; i < 8; ++i) EXPECT_TRUE(it.object("Secret", "s" + std::to_string(i)).is_null()) << "a Secret outlived its access";
}

/// Two objects that want one name at the same instant: one gets it, and the deletion of the other destroys nothing.
TEST(Service, ANameGoesToOneOfTwo) {
  cloud_stage it;
  auto spec = R"("backend":"objects","name":"shared","retentionPolicy":"Delete")";
  it.buckety("one", spec);
  it.buckety("two", spec);
  auto both = [&] { return !it.reason("one").empty() && !it.reason("two").empty() && (it.is_ready("one") || it.is_ready("two")); };
  ASSERT_TRUE(it.within(60s, both));
  it.go(30s);
  auto winner = it.is_ready("one") ? "one" : "two", loser = it.is_ready("one") ? "two" : "one";
  EXPECT_EQ(it.reason(loser), "BackendResourceExists");
  EXPECT_EQ(it.sky.made, 1);
  it.remove(loser);
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone(loser); }));
  EXPECT_TRUE(it.sky.buckets.contains("shared")) << "the loser took the resource with it";
  it.remove(winner);
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone(winner); }));
  EXPECT_FALSE(it.sky.buckets.contains("shared"));
}

/// Objects that are refused a resource of somebody else wait quietly: they do not take the name from each other.
TEST(Service, RivalsForWhatTheyMayNotHaveWriteNothing) {
  cloud_stage it;
  it.sky.buckets["shared"].objects = 1;
  for (auto* name : {"one", "two", "three"}) it.buckety(name, R"("backend":"objects","name":"shared")");
  auto refused = [&] {
    return std::ranges::all_of(std::array{"one", "two", "three"}, [&](auto* each) { return it.reason(each) == "BackendResourceExists"; });
  };
  ASSERT_TRUE(it.within(30s, refused));
  it.go(2min);
  auto written = [&] { return it.messages("states") + it.messages("status") + it.messages("commands"); };
  auto before = written();
  it.go(10min);
  EXPECT_EQ(written(), before);
  EXPECT_TRUE(refused());
}

/// The replica dies after the backend has made the resource, before anything says so.
TEST(Service, ACrashAfterTheCreationLosesAndDeletesNothing) {
  cloud_stage it(1);
  it.sky.after_making = [&] {
    if (it.sky.made == 1) it.home.at(it.home.now(), [&] { it.home.kill(*it.replicas.begin()->second); });
  };
  it.buckety("photos", R"("backend":"objects","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(30s, [&] { return it.sky.made == 1; }));
  it.run_replica("provisioner-0");
  ASSERT_TRUE(it.within(180s, [&] { return it.is_ready("photos"); })) << it.reason("photos");
  EXPECT_EQ(it.status("photos").text("provenance"), "Adopted") << "its creation was not proven";
  it.remove("photos");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone("photos"); }));
  EXPECT_TRUE(it.sky.buckets.contains("photos"));
}

TEST(Service, ASilentBackendHoldsUpNoOther) {
  cloud_stage it;
  for (int i = 0; i < 40; ++i) it.buckety("never" + std::to_string(i), R"("backend":"silent")");
  auto began = it.home.now();
  it.buckety("photos");
  ASSERT_TRUE(it.within(10s, [&] { return it.is_ready("photos"); })) << it.reason("photos");
  EXPECT_LT(it.home.now() - began, 10s);
  ASSERT_TRUE(it.within(90s, [&] { return it.reason("never0") == "InspectFailed"; })) << it.reason("never0");
}

TEST(Service, WhatIsReadyCausesNoWrites) {
  cloud_stage it;
  it.buckety("photos", spec_of("photos-secret"));
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  it.go(20min);  // after a start the gateway's configuration may be older for a while: Secrets are asked for again
  std::vector<std::string> streams{"commands", "status", "states", "resources", "answers"};
  std::vector<std::uint64_t> before;
  for (auto& each : streams) before.push_back(it.messages(each));
  auto looks = it.sky.looks;
  it.go(20min);
  for (std::size_t i = 0; i < streams.size(); ++i) EXPECT_EQ(it.messages(streams[i]), before[i]) << streams[i];
  EXPECT_GE(it.sky.looks, looks + 3) << "it is still looked at";
}

TEST(Service, ASecretThatSomebodyDeletedIsMintedAgain) {
  cloud_stage it;
  it.buckety("photos", spec_of("photos-secret"));
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  auto uid_now = [&] { return std::string(it.object("Secret", "photos-secret").text("metadata.uid")); };
  auto uid = uid_now();
  it.command("user", proto::delete_object{.object = {"Secret", "home", "photos-secret", uid}});
  EXPECT_TRUE(it.within(30s, [&] { return !uid_now().empty() && uid_now() != uid; }));
}

TEST(Service, AResourceThatSomebodyDeletedIsMadeAgain) {
  cloud_stage it;
  it.buckety("photos");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  it.sky.buckets.clear();
  EXPECT_TRUE(it.within(6min, [&] { return it.sky.buckets.contains("photos"); })) << "at the cadence";
}

/// D19: who deletes the object decides what happens to the content, page by page, also when every replica is replaced meanwhile.
TEST(Service, EmptiesWhatItCreatedAlsoAcrossReplicas) {
  cloud_stage it(2);
  it.buckety("photos", R"("backend":"objects","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  it.sky.buckets.at("photos").objects = 5;
  bool killed = false;
  auto kill_all = [&] {
    for (auto& [name, process] : it.replicas) it.home.kill(*process);
    killed = true;
  };
  it.sky.after_emptying = [&](int left) {
    if (left == 3) it.home.at(it.home.now() + 1ms, kill_all);
  };
  it.remove("photos");
  ASSERT_TRUE(it.within(60s, [&] { return killed; }));
  it.run_replica("provisioner-2");
  EXPECT_TRUE(it.within(4min, [&] { return it.is_gone("photos"); })) << it.reason("photos");
  EXPECT_TRUE(it.sky.buckets.empty());
}

/// A store may do a request twice, the second time late: by then no other object has the name.
TEST(Service, ARemovalThatComesLateHitsNoOtherObject) {
  cloud_stage it;
  std::size_t hit = 0;
  it.sky.after_removing = [&] { it.home.at(it.home.now() + 30s, [&] { hit += it.sky.buckets.erase("photos"); }); };
  auto spec = R"("backend":"objects","retentionPolicy":"Delete")";
  it.buckety("photos", spec);
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  it.remove("photos");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone("photos"); }));
  it.command("again", proto::create_object{gateway::parsed_json(
                          R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"Buckety","metadata":{"name":"photos","namespace":"home"},
                              "spec":{"backend":"objects"}})")});
  EXPECT_TRUE(it.within(90s, [&] { return it.is_ready("photos"); })) << it.reason("photos");
  EXPECT_EQ(hit, 0u);
}

/// What a pass has learned about one name says nothing about the next: a label is edited between the creation and the stamp.
TEST(Service, ANameThatChangesInTheMiddleOfAPassIsAnotherName) {
  cloud_stage it(1);
  it.sky.buckets["x-two"].objects = 1;
  it.relabel_after_making("photos", "v", "two");
  it.sky.latency = 3s;
  it.command("make", proto::create_object{gateway::parsed_json(
                         R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"Buckety","metadata":{"name":"photos","namespace":"home",
                             "labels":{"v":"one"}},"spec":{"backend":"objects","name":"x-${label['v']}","retentionPolicy":"Delete"}})")});
  ASSERT_TRUE(it.within(60s, [&] { return it.sky.made == 1; }));
  it.go(1min);
  it.remove("photos");
  ASSERT_TRUE(it.within(4min, [&] { return it.is_gone("photos"); })) << it.reason("photos");
  EXPECT_EQ(it.sky.buckets.at("x-two").objects, 1) << "a foreign resource was emptied";
}

/// The claim of a name that its owner does not want any more holds up nobody.
TEST(Service, AnObjectKeepsNoNameThatItsLabelsNoLongerSay) {
  cloud_stage it(1);
  it.sky.latency = 3s;
  it.sky.buckets["x-two"].objects = 1;
  it.relabel_after_making("photos", "v", "two");
  it.command("make", proto::create_object{gateway::parsed_json(
                         R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"Buckety","metadata":{"name":"photos","namespace":"home",
                             "labels":{"v":"one"}},"spec":{"backend":"objects","name":"x-${label['v']}"}})")});
  ASSERT_TRUE(it.within(60s, [&] { return it.reason("photos") == "BackendResourceExists"; })) << "of x-two: " << it.reason("photos");
  it.sky.after_making = [] {};
  it.buckety("second", R"("backend":"objects","name":"x-one")");
  EXPECT_TRUE(it.within(3min, [&] { return it.is_ready("second"); })) << it.reason("second");
}

/// Somebody makes a resource of that name between the removal and the end of the finalizer.
TEST(Service, DeletesOnceOnly) {
  cloud_stage it(1);
  it.buckety("photos", R"("backend":"objects","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  auto uid = std::string(it.object("Buckety", "photos").text("metadata.uid"));
  it.command("hold", proto::patch_metadata{.object = {"Buckety", "home", "photos", uid}, .add_finalizers = {"test/held"}});
  it.remove("photos");
  ASSERT_TRUE(it.within(60s, [&] { return it.sky.removed == 1; }));
  it.sky.buckets["photos"].objects = 1;
  // As if the command that removed the finalizer had been lost.
  it.go(10s);
  it.home.kill(*it.replicas.begin()->second);
  auto one = it.object("Buckety", "photos");
  ASSERT_FALSE(one.is_null());
  it.run_replica("provisioner-9");
  it.go(10min);
  EXPECT_EQ(it.sky.buckets["photos"].objects, 1);
}

/// Every process is killed after the claim has recorded the creation, and before the stamp is written. Returns the provenance that the
/// successors stamp.
std::string provenance_after_crash(cloud_stage& it, bool bus_is_lost) {
  auto end_all = [&] {
    it.home.kill(*it.replicas.begin()->second);
    it.home.kill(*it.gateway);
    if (bus_is_lost) it.net.lose_all();
  };
  it.sky.after_making = [&] { it.home.at(it.home.now() + it.sky.latency + 15ms, end_all); };
  proto::gateway_command make = proto::create_object{it.manifest("photos", R"("backend":"objects","retentionPolicy":"Delete")")};
  (void)it.net.server().publish(
      {.subject = gateway::subjects::command("local", "gateway", "create-object", "make"), .body = json::write(make)});
  EXPECT_TRUE(it.within(30s, [&] { return !it.gateway->alive(); }));
  it.go(1s);
  EXPECT_EQ(it.status("photos").text("provenance"), "") << "the stamp was already written";
  it.ended.clear();
  it.start();
  it.run_replica("provisioner-9");
  EXPECT_TRUE(it.within(180s, [&] { return it.is_ready("photos"); })) << it.reason("photos");
  return std::string(it.status("photos").text("provenance"));
}

/// As in the program of services/buckety, whose bus ends with it: what only a claim knew is in doubt.
TEST(Service, ABusThatIsLostBeforeTheStampMakesACreationAnAdoption) {
  cloud_stage kept(1);
  EXPECT_EQ(provenance_after_crash(kept, false), "Created") << "else the crash is not where this test wants it";
  cloud_stage lost(1);
  EXPECT_EQ(provenance_after_crash(lost, true), "Adopted");
  lost.remove("photos");
  ASSERT_TRUE(lost.within(60s, [&] { return lost.is_gone("photos"); }));
  EXPECT_TRUE(lost.sky.buckets.contains("photos"));
}

/// What is stamped needs no claim: not to be kept, not to be refused to others, not to be deleted.
TEST(Service, ABusThatIsLostLaterLosesAndDeletesNothing) {
  cloud_stage it(1);
  it.buckety("photos", R"("backend":"objects","name":"shared","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); }));
  it.sky.buckets.at("shared").objects = 2;
  it.home.kill(*it.replicas.begin()->second);
  it.end();
  it.net.lose_all();
  it.start();
  it.run_replica("provisioner-9");
  it.buckety("thief", R"("backend":"objects","name":"shared","adoption":"Adopt","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(60s, [&] { return it.reason("thief") == "BackendResourceExists"; })) << it.reason("thief");
  it.remove("thief");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone("thief"); }));
  it.go(10min);
  EXPECT_EQ(it.status("photos").text("provenance"), "Created");
  EXPECT_EQ(it.sky.buckets.at("shared").objects, 2);
  EXPECT_EQ(it.sky.made, 1);
  it.remove("photos");
  ASSERT_TRUE(it.within(60s, [&] { return it.is_gone("photos"); }));
  EXPECT_TRUE(it.sky.buckets.empty());
}

/// A process that may have lost its turn sends nothing that changes a resource.
TEST(Service, ChangesNothingOnceItMayNot) {
  cloud_stage it(1);
  it.may_change = false;
  it.buckety("photos", R"("backend":"objects","retentionPolicy":"Delete")");
  ASSERT_TRUE(it.within(60s, [&] { return it.reason("photos") == "EnsureFailed"; })) << it.reason("photos");
  EXPECT_TRUE(it.sky.buckets.empty());
  it.may_change = true;
  ASSERT_TRUE(it.within(60s, [&] { return it.is_ready("photos"); })) << it.reason("photos");
  it.may_change = false;
  it.remove("photos");
  it.go(5min);
  EXPECT_FALSE(it.sky.buckets.empty());
}

}  // namespace
}  // namespace kopiur::provisioner
