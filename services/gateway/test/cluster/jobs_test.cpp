#include "services/gateway/test/cluster/jobs_stage.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

TEST(Jobs, AreMadeOnceWithASecretOfTheirOwn) {
  with_movers("made-once", [](jobs_stage& it) -> awaitable<void> {
    co_await it.put_password();
    EXPECT_EQ(code_of(co_await it.movers.create(it.command("run-a"))), answer_code::Unavailable) << "of an older version";
    auto uid = must(co_await it.create(it.command("run-a")));
    EXPECT_EQ(must(co_await it.create(it.command("run-a"))), uid) << "asked again";
    auto known = co_await it.movers.create(it.command("run-a"));
    EXPECT_EQ(known ? *known : known.error().message, uid) << "the cluster is not asked about a Job that is known";
    co_await it.until_furnished("run-a-1");
    EXPECT_EQ(it.reason("run-a-1"), "");
    auto secret = must(co_await it.all.read({"Secret", it.ns, "run-a-1", ""}));
    EXPECT_EQ(secret.at("metadata.ownerReferences")->as_array()->at(0).text("uid"), uid);
    EXPECT_TRUE(secret.find("data")->find("env.KOPIA_PASSWORD"));
  });
}

TEST(Jobs, WaitForASecretThatIsMissingAndSaySo) {
  with_movers("waits", [](jobs_stage& it) -> awaitable<void> {
    must(co_await it.create(it.command("run-a")));
    co_await it.until([&] { return it.reason("run-a-1") == "SecretMissing"; }, "the reason is not told");
    EXPECT_FALSE(co_await it.has_secret("run-a-1"));
    co_await it.put_password();
    co_await it.until([&] { return it.reason("run-a-1").empty(); }, "it goes on waiting");
    EXPECT_TRUE(co_await it.has_secret("run-a-1"));
  });
}

/// A gateway that starts must not request the Secret of each of thousands of Jobs: that takes 2 s for each thousand.
TEST(Jobs, ThatHaveTheirSecretAskForNoneWhenAGatewayStarts) {
  auto one_with_and_one_without = [](jobs_stage& it) -> awaitable<void> {
    co_await it.put_password();
    must(co_await it.create(it.command("run-a")));
    co_await it.until_furnished("run-a-1");
    must(co_await it.all.remove({.object = {"Secret", it.ns, "password", ""}, .annotations = {}}));
    must(co_await it.create(it.command("run-b")));
  };
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    jobs_stage before(loop, "has-secret"), now(loop, "has-secret");
    co_await before.make_namespace();
    co_await app::first_of(before.movers.run(), one_with_and_one_without(before));
    auto is_told = [&] { return now.reason("run-b-1") == "SecretMissing"; };
    co_await app::first_of(now.movers.run(), now.until(is_told, "what is missing is not told"));
    EXPECT_EQ(now.reason("run-a-1"), "") << "it has what it needs, whatever became of that";
  });
}

TEST(Jobs, ThatWereRemovedBeforeTheyWereMadeAreNeverMade) {
  with_movers("removed-first", [](jobs_stage& it) -> awaitable<void> {
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_EQ(code_of(co_await it.create(it.command("run-a"))), answer_code::Removed);
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_EQ(it.reason("run-a-1"), "not told");
  });
}

TEST(Jobs, ThatSomebodyElseMadeAreNeitherTakenNorFollowedNorRemoved) {
  with_movers("forged", [](jobs_stage& it) -> awaitable<void> {
    auto forged = job_manifest(it.command("run-a"), {.image = "theirs", .seal_secret = "theirs"}).value();
    must(co_await it.all.create(std::move(forged)));
    EXPECT_EQ(code_of(co_await it.create(it.command("run-a"))), answer_code::AlreadyExists);
    EXPECT_FALSE(co_await it.has_secret("run-a-1")) << "it would have got the password";
    EXPECT_EQ(it.reason("run-a-1"), "not told");
    must(co_await it.create(it.command("run-b")));
    auto other = co_await it.movers.remove({.run = "run-b-1", .attempt = 1, .namespace_ = it.ns});
    EXPECT_TRUE(other) << "a run of which there is no Job";
    EXPECT_TRUE(removed_at(co_await it.job("run-b-1")).empty());
  });
}

TEST(Jobs, AreOverOnlyWhenTheirPodIs) {
  with_movers("ended", [](jobs_stage& it) -> awaitable<void> {
    co_await it.put_password();
    must(co_await it.create(it.command("run-a")));
    bool removed = false;
    app::nursery beside(co_await asio::this_coro::executor);
    beside.spawn(it.remove(removed));
    co_await it.time.sleep_for(2s);
    EXPECT_FALSE(removed) << "nobody has said that nothing of it runs";
    auto now = co_await it.job("run-a-1");
    EXPECT_FALSE(removed_at(now).empty());
    EXPECT_EQ(*now.at("spec.activeDeadlineSeconds")->as_int(), 1);
    must(co_await it.all.write_status(now, over_by_its_deadline()));  // as the Job controller does after the pod was deleted
    co_await it.until([&] { return removed; }, "it is not told as over");
    EXPECT_EQ(it.reason("run-a-1"), "not told");
    EXPECT_FALSE(co_await it.has_secret("run-a-1"));
    co_await beside.join();
  });
}

/// `kubectl delete job --cascade=orphan` deletes the Job and leaves its pod.
TEST(Jobs, ThatWereTakenAwayAreNotOverWhileTheirPodRuns) {
  with_movers("orphaned", [](jobs_stage& it) -> awaitable<void> {
    co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"left","namespace":")" + it.ns +
                    R"(","labels":{"kopiur.home-operations.com/run":"run-a","batch.kubernetes.io/job-name":"run-a-1"}},
                      "spec":{"nodeName":"none","containers":[{"name":"mover","image":"none"}]}})");
    bool removed = false;
    app::nursery beside(co_await asio::this_coro::executor);
    beside.spawn(it.remove(removed));
    co_await it.time.sleep_for(2500ms);
    EXPECT_FALSE(removed) << "its pod may run";
    EXPECT_TRUE(is_terminating(must(co_await it.all.read({"Pod", it.ns, "left", ""})))) << "it is asked to end";
    must(co_await it.api.ask({.method = "DELETE",
                              .path = path_of(*resource_of("Pod"), it.ns, "left"),
                              .body = json::object{{"gracePeriodSeconds", 0}}}));  // as its kubelet does in the end
    co_await it.until([&] { return removed; }, "it is not told as over");
    co_await beside.join();
  });
}

TEST(Jobs, OfAPrivilegedMoverNeedTheNamespacesConsent) {
  with_movers("privileged", [](jobs_stage& it) -> awaitable<void> {
    auto create = [&](std::string run, std::string pod) -> awaitable<std::string> {
      auto wish = it.command(std::move(run));
      wish.pod = json::read<proto::pod_options>(pod).value();
      auto made = co_await it.create(std::move(wish));
      co_return made ? "" : made.error().message;
    };
    for (auto pod : {R"({"privilegedMode":true})", R"({"podSecurityContext":{"runAsNonRoot":null}})"}) {
      auto said = co_await create("run-a", pod);
      EXPECT_NE(said.find("privileged-movers"), std::string::npos) << pod << ": " << said;
    }
    EXPECT_EQ(code_of(co_await it.all.read({"Job", it.ns, "run-a-1", ""})), answer_code::NotFound);
    EXPECT_EQ(co_await create("run-a", R"({"podSecurityContext":{"runAsUser":1000}})"), "");
    co_await it.put(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" + it.ns +
                    R"(","annotations":{"kopiur.home-operations.com/privileged-movers":"true"}}})");
    EXPECT_EQ(co_await create("run-b", R"({"privilegedMode":true})"), "");
    auto job = co_await it.job("run-b-1");
    auto& mover = job.at("spec.template.spec.containers")->as_array()->at(0);
    EXPECT_TRUE(*mover.at("securityContext.privileged")->as_bool());
  });
}

/// A claim of that mode, and a pod on a node that uses it.
awaitable<void> put_claim(jobs_stage& it, std::string name, std::string mode) {
  co_await it.put(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" + name + R"(","namespace":")" + it.ns +
                  R"("},"spec":{"accessModes":[")" + mode + R"("],"resources":{"requests":{"storage":"1Gi"}}}})");
}
/// A pod that has the claim, once the API server's cache shows it: the gateway reads that one, which is some milliseconds old.
awaitable<void> put_holder(jobs_stage& it, std::string name, std::string claim, std::string node) {
  co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":")" + it.ns +
                  R"("},"spec":{"nodeName":")" + node +
                  R"(","containers":[{"name":"c","image":"none"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")" + claim +
                  R"("}}]}})");
  auto seen = [](jobs_stage& here, std::string pod) -> awaitable<void> {
    for (;; co_await here.time.sleep_for(20ms)) {
      auto all = must(co_await here.api.ask({.path = path_of(*resource_of("Pod"), here.ns), .query = {{"resourceVersion", "0"}}}));
      auto pods = items_of(std::move(all));
      if (std::ranges::any_of(pods, [&](json::value const& one) { return one.text("metadata.name") == pod; })) co_return;
    }
  };
  co_await app::within(it.time, 20s, seen(it, name), "the API server's cache does not show the pod");
}

TEST(Jobs, RunWhereAClaimIsInUseThatOnlyOneNodeCanHave) {
  with_movers("co-located", [](jobs_stage& it) -> awaitable<void> {
    co_await put_claim(it, "data", "ReadWriteOnce");
    co_await put_claim(it, "shared", "ReadWriteMany");
    co_await put_holder(it, "db-0", "data", "node-7");
    co_await put_holder(it, "web-0", "shared", "node-8");
    auto wish = it.command("run-a");
    wish.volumes = {{.name = "source", .claim_namespace = it.ns, .claim_name = "data", .host_path = {}}};
    must(co_await it.create(wish));
    auto job = co_await it.job("run-a-1");
    auto* terms = job.at("spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
    EXPECT_TRUE(terms);
    if (terms) EXPECT_EQ(json::dump(*terms), R"([{"matchFields":[{"key":"metadata.name","operator":"In","values":["node-7"]}]}])");
    EXPECT_TRUE(job.text("spec.template.spec.nodeName").empty()) << "the scheduler has to look at all else";
    wish.run = proto::kopia_of(wish).run = "run-b";
    wish.volumes[0].claim_name = "shared";
    must(co_await it.create(wish));
    EXPECT_FALSE((co_await it.job("run-b-1")).at("spec.template.spec.affinity"));
  });
}

TEST(Jobs, AreNotMadeWhereAnotherPodHasAClaimForItselfAlone) {
  with_movers("one-pod", [](jobs_stage& it) -> awaitable<void> {
    co_await put_claim(it, "data", "ReadWriteOncePod");
    co_await put_holder(it, "db-0", "data", "node-7");
    auto wish = it.command("run-a");
    wish.volumes = {{.name = "source", .claim_namespace = it.ns, .claim_name = "data", .host_path = {}}};
    auto refused = co_await it.create(wish);
    EXPECT_EQ(code_of(refused), answer_code::Invalid);
    EXPECT_NE(refused.error().message.find("the pod db-0 has it"), std::string::npos) << refused.error().message;
    EXPECT_EQ(code_of(co_await it.all.read({"Job", it.ns, "run-a-1", ""})), answer_code::NotFound);
    must(co_await it.api.ask(
        {.method = "DELETE", .path = path_of(*resource_of("Pod"), it.ns, "db-0"), .body = json::object{{"gracePeriodSeconds", 0}}}));
    must(co_await it.create(wish));
  });
}

TEST(Jobs, InheritTheSecurityContextOfARunningPod) {
  with_movers("inherits", [](jobs_stage& it) -> awaitable<void> {
    auto wish = it.command("run-a");
    wish.pod = json::read<proto::pod_options>(
                   R"({"inheritSecurityContextFrom":{"podSelector":{"matchLabels":{"app":"db"}}},"podSecurityContext":{"fsGroup":7}})")
                   .value();
    auto none = co_await it.create(wish);
    EXPECT_EQ(code_of(none), answer_code::Invalid);
    EXPECT_NE(none.error().message.find("app=db"), std::string::npos);
    co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","namespace":")" + it.ns +
                    R"(","labels":{"app":"db"}},"spec":{"securityContext":{"runAsUser":999,"fsGroup":999,"sysctls":[]},
                      "containers":[{"name":"db","image":"none","securityContext":{"runAsNonRoot":true,"readOnlyRootFilesystem":false,
                        "capabilities":{"add":["NET_BIND_SERVICE"]}}}]}})");
    auto pod = must(co_await it.all.read({"Pod", it.ns, "db-0", ""}));
    must(co_await it.all.write_status(pod, json::object{{"phase", "Running"}}));
    must(co_await it.create(wish));
    auto job = co_await it.job("run-a-1");
    EXPECT_EQ(*job.at("spec.template.spec.securityContext.runAsUser")->as_int(), 999);
    EXPECT_EQ(*job.at("spec.template.spec.securityContext.fsGroup")->as_int(), 7) << "what the user says himself";
    auto& mover = job.at("spec.template.spec.containers")->as_array()->at(0);
    EXPECT_EQ(json::dump(*mover.at("securityContext.capabilities")), R"({"drop":["ALL"]})")
        << "the workload's container is not the mover's";
  });
}

/// The command may be redelivered after a user deleted the Job. It must not create the Job again: a deleted Job contains no result.
TEST(Jobs, OfARestoreIntoWhatWasThereAreMadeOnceWhoeverDeletesThem) {
  with_movers("once", [](jobs_stage& it) -> awaitable<void> {
    auto wish = co_await it.restore_into_what_was_there();
    auto uid = must(co_await it.create(wish));
    must(co_await it.api.ask({.method = "DELETE",
                              .path = path_of(*resource_of("Job"), it.ns, "run-a-1"),
                              .body = json::object{{"propagationPolicy", "Background"}}}));
    EXPECT_EQ(uid_of(co_await it.job("run-a-1")), uid) << "it is held";
    EXPECT_EQ(code_of(co_await it.create(wish)), answer_code::Removed);
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_NE(uid_of(co_await it.job("run-a-1")), uid) << "now it is gone, and something stands in its place";
    EXPECT_EQ(code_of(co_await it.create(wish)), answer_code::Removed);
  });
}

/// The Job has a finalizer and is being deleted. The gateway knows no pod of it, but one runs: its end is not proven.
TEST(Jobs, ThatSomebodyDeletesAreNotOverWhileTheirPodRuns) {
  with_movers("deleted-runs", [](jobs_stage& it) -> awaitable<void> {
    auto wish = co_await it.restore_into_what_was_there();
    must(co_await it.create(wish));
    auto job = co_await it.job("run-a-1");
    auto pod = *job.at("spec.template");
    auto* metadata = pod.find("metadata");
    metadata->set("name", "run-a-1-x"), metadata->set("namespace", it.ns);
    metadata->set("finalizers", json::array{json::value("test.kopiur/held")});  // it terminates slowly
    metadata->find("labels")->set("job-name", "run-a-1"), metadata->find("labels")->set("batch.kubernetes.io/job-name", "run-a-1");
    pod.set("apiVersion", "v1"), pod.set("kind", "Pod");
    must(co_await it.all.create(std::move(pod)));
    must(co_await it.api.ask({.method = "DELETE",
                              .path = path_of(*resource_of("Job"), it.ns, "run-a-1"),
                              .body = json::object{{"propagationPolicy", "Background"}}}));
    bool removed = false;
    app::nursery beside(co_await asio::this_coro::executor);
    beside.spawn(it.remove(removed));
    co_await it.time.sleep_for(4s);
    EXPECT_FALSE(removed) << "nobody has said that nothing of it runs";
    must(co_await it.all.patch({.object = {"Pod", it.ns, "run-a-1-x", ""}, .remove_finalizers = {"test.kopiur/held"}}));
    co_await it.until([&] { return removed; }, "it is not told as over");
    co_await beside.join();
  });
}

TEST(Jobs, OfARestoreThatNobodyDeletesAreHeldNoLongerOnceTheyAreRemoved) {
  with_movers("let-go", [](jobs_stage& it) -> awaitable<void> {
    auto wish = co_await it.restore_into_what_was_there();
    must(co_await it.create(wish));
    EXPECT_TRUE(is_held(co_await it.job("run-a-1")));
    auto dry = wish;
    dry.run = "run-b", std::get<proto::restore_work>(proto::kopia_of(dry).task).dry_run = true;
    must(co_await it.create(dry));
    EXPECT_FALSE(is_held(co_await it.job("run-b-1"))) << "that may be done again";
    bool done = false;
    must(co_await it.all.write_status(co_await it.job("run-a-1"), over_by_its_deadline()));
    co_await it.remove(done);
    auto there = co_await it.job("run-a-1");
    EXPECT_FALSE(is_held(there));
    EXPECT_FALSE(removed_at(there).empty());
  });
}

/// While its volume is restored, a workload has no pod, or one that waits for the volume.
TEST(Jobs, InheritTheSecurityContextOfAWorkloadThatDoesNotRun) {
  with_movers("stopped", [](jobs_stage& it) -> awaitable<void> {
    auto wish = it.command("run-a");
    proto::kopia_of(wish).task =
        proto::restore_work{.snapshot_ID = std::string(32, 'a'), .source = {"a", "b", "/c"}, .target = "/t", .options = {}};
    wish.pod = json::read<proto::pod_options>(R"({"inheritSecurityContextFrom":{"podSelector":{"matchLabels":{"app":"db"}}}})").value();
    auto spec = [](int user) {
      return R"({"securityContext":{"runAsUser":)" + std::to_string(user) + R"(},"containers":[{"name":"db","image":"none"}]})";
    };
    auto workload = [&](std::string name, std::string app, int user) {
      return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":")" + name + R"(","namespace":")" + it.ns +
             R"("},"spec":{"replicas":0,"selector":{"matchLabels":{"app":")" + app + R"("}},"template":{"metadata":{"labels":{"app":")" +
             app + R"("}},"spec":)" + spec(user) + "}}}";
    };
    co_await it.put(workload("a-other", "web", 1));
    EXPECT_EQ(code_of(co_await it.create(wish)), answer_code::Unavailable) << "it may come";
    co_await it.put(workload("db", "db", 999));
    must(co_await it.create(wish));
    EXPECT_EQ(*(co_await it.job("run-a-1")).at("spec.template.spec.securityContext.runAsUser")->as_int(), 999);
    co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-0","namespace":")" + it.ns +
                    R"(","labels":{"app":"db"}},"spec":)" + spec(1000) + "}");
    auto next = it.command("run-b");
    proto::kopia_of(next).task = proto::kopia_of(wish).task, next.pod = wish.pod;
    must(co_await it.create(next));
    EXPECT_EQ(*(co_await it.job("run-b-1")).at("spec.template.spec.securityContext.runAsUser")->as_int(), 1000)
        << "a pod that waits for its volume says it";
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
