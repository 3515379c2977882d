#include "services/gateway/kubernetes/jobs/jobs.hpp"

#include "proto/codec.hpp"
#include "services/gateway/test/cluster/api.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;
using proto::answer_code;

/// Jobs on an API server without nodes; e2e/cluster tests them with a node.
class stage : public stage_base {
 public:
  stage(asio::io_context& loop, std::string name)
      : stage_base(loop, std::move(name)),
        movers(api, time, loop.get_executor(),
               {.pods = {.image = "none", .seal_secret = "ours", .images = {{"ours", "none"}}}, .namespace_ = ns},
               {[this](cluster_change change) { take(std::move(change)); }, [] {}}) {}

  proto::create_job command(std::string run) const {
    proto::create_job out{.run = std::move(run), .attempt = 1, .namespace_ = ns};
    proto::kopia_of(out).run = out.run;
    proto::kopia_of(out).repository.backend = proto::filesystem_backend{.path = "/"};
    proto::kopia_of(out).task = proto::list_work{};
    out.secrets = {{.secret_namespace = ns, .secret_name = "password", .key = "KOPIA_PASSWORD", .env = "KOPIA_PASSWORD"}};
    return out;
  }
  /// The command of run-a, which may be performed once, with what it needs.
  awaitable<proto::create_job> restore_into_what_was_there() {
    co_await put_password();
    co_await put(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data","namespace":")" + ns +
                 R"("},"spec":{"accessModes":["ReadWriteMany"],"resources":{"requests":{"storage":"1Gi"}}}})");
    auto wish = command("run-a");
    proto::kopia_of(wish).task =
        proto::restore_work{.snapshot_ID = std::string(32, 'a'), .source = {"a", "b", "/c"}, .target = "{{target}}", .options = {}};
    wish.volumes = {{.name = "target", .claim_namespace = ns, .claim_name = "data", .host_path = {}}};
    co_return wish;
  }
  /// With what its plan states.
  awaitable<outcome<std::string>> create(proto::create_job wish) {
    plans::state_needs(wish);
    co_return co_await movers.create(std::move(wish));
  }
  awaitable<void> put(std::string text) { must(co_await all.apply(json::parse(text).value())); }
  awaitable<void> put_password() {
    co_await put(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"password","namespace":")" + ns +
                 R"("},"stringData":{"KOPIA_PASSWORD":"hunter22"}})");
  }
  /// Removes the Job of run-a; sets `done` once its end is proven.
  awaitable<void> remove(bool& done) {
    must(co_await movers.remove({.run = "run-a", .attempt = 1, .namespace_ = ns}));
    done = true;
  }
  awaitable<json::value> job(std::string name) { co_return must(co_await all.read({"Job", ns, std::move(name), ""})); }
  awaitable<bool> has_secret(std::string name) {
    auto there = co_await all.read({"Secret", ns, std::move(name), ""});
    co_return there.has_value();
  }
  std::string reason(std::string const& name) const { return reasons.contains(name) ? reasons.at(name) : "not told"; }
  awaitable<void> until(std::function<bool()> holds, std::string what) {
    auto wait = [](stage& it, std::function<bool()> is) -> awaitable<void> {
      while (!is()) co_await it.time.sleep_for(20ms);
    };
    co_await app::within(time, 20s, wait(*this, std::move(holds)), what);
  }

  jobs movers;
  std::map<std::string, std::string> reasons;  // of the reported Jobs, by name
 private:
  void take(cluster_change change) {
    if (auto* seen = std::get_if<seen_object>(&change))
      reasons[std::string(seen->object.text("metadata.name"))] = seen->object.text("status.reason");
    if (auto* gone = std::get_if<gone_object>(&change)) reasons.erase(gone->object.name);
  }
};

json::value over_by_its_deadline() {
  return json::parse(R"({"startTime":"2026-11-22T08:00:00Z","conditions":[
      {"type":"FailureTarget","status":"True","reason":"DeadlineExceeded","lastTransitionTime":"2026-11-22T08:00:00Z"},
      {"type":"Failed","status":"True","reason":"DeadlineExceeded","lastTransitionTime":"2026-11-22T08:00:00Z"}]})")
      .value();
}

void with_movers(std::string name, std::function<awaitable<void>(stage&)> story) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, name);
    co_await it.make_namespace();
    co_await app::first_of(it.movers.run(), story(it));
  });
}

TEST(Jobs, AreMadeOnceWithASecretOfTheirOwn) {
  with_movers("made-once", [](stage& it) -> awaitable<void> {
    co_await it.put_password();
    EXPECT_EQ(code_of(co_await it.movers.create(it.command("run-a"))), answer_code::Unavailable) << "of an older version";
    auto uid = must(co_await it.create(it.command("run-a")));
    EXPECT_EQ(must(co_await it.create(it.command("run-a"))), uid) << "asked again";
    for (int i = 0; i < 200 && !co_await it.has_secret("run-a-1"); ++i) co_await it.time.sleep_for(20ms);
    EXPECT_EQ(it.reason("run-a-1"), "");
    auto secret = must(co_await it.all.read({"Secret", it.ns, "run-a-1", ""}));
    EXPECT_EQ(secret.at("metadata.ownerReferences")->as_array()->at(0).text("uid"), uid);
    EXPECT_TRUE(secret.find("data")->find("env.KOPIA_PASSWORD"));
  });
}

TEST(Jobs, WaitForASecretThatIsMissingAndSaySo) {
  with_movers("waits", [](stage& it) -> awaitable<void> {
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
  auto one_with_and_one_without = [](stage& it) -> awaitable<void> {
    co_await it.put_password();
    must(co_await it.create(it.command("run-a")));
    for (int i = 0; i < 200 && !co_await it.has_secret("run-a-1"); ++i) co_await it.time.sleep_for(20ms);
    must(co_await it.all.remove({.object = {"Secret", it.ns, "password", ""}, .annotations = {}}));
    must(co_await it.create(it.command("run-b")));
  };
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    stage before(loop, "has-secret"), now(loop, "has-secret");
    co_await before.make_namespace();
    co_await app::first_of(before.movers.run(), one_with_and_one_without(before));
    auto is_told = [&] { return now.reason("run-b-1") == "SecretMissing"; };
    co_await app::first_of(now.movers.run(), now.until(is_told, "what is missing is not told"));
    EXPECT_EQ(now.reason("run-a-1"), "") << "it has what it needs, whatever became of that";
  });
}

TEST(Jobs, ThatWereRemovedBeforeTheyWereMadeAreNeverMade) {
  with_movers("removed-first", [](stage& it) -> awaitable<void> {
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_EQ(code_of(co_await it.create(it.command("run-a"))), answer_code::Removed);
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_EQ(it.reason("run-a-1"), "not told");
  });
}

TEST(Jobs, ThatSomebodyElseMadeAreNeitherTakenNorFollowedNorRemoved) {
  with_movers("forged", [](stage& it) -> awaitable<void> {
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
  with_movers("ended", [](stage& it) -> awaitable<void> {
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
  with_movers("orphaned", [](stage& it) -> awaitable<void> {
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
  with_movers("privileged", [](stage& it) -> awaitable<void> {
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
awaitable<void> put_claim(stage& it, std::string name, std::string mode) {
  co_await it.put(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" + name + R"(","namespace":")" + it.ns +
                  R"("},"spec":{"accessModes":[")" + mode + R"("],"resources":{"requests":{"storage":"1Gi"}}}})");
}
awaitable<void> put_holder(stage& it, std::string name, std::string claim, std::string node) {
  co_await it.put(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","namespace":")" + it.ns +
                  R"("},"spec":{"nodeName":")" + node +
                  R"(","containers":[{"name":"c","image":"none"}],"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":")" + claim +
                  R"("}}]}})");
}

TEST(Jobs, RunWhereAClaimIsInUseThatOnlyOneNodeCanHave) {
  with_movers("co-located", [](stage& it) -> awaitable<void> {
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
  with_movers("one-pod", [](stage& it) -> awaitable<void> {
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
  with_movers("inherits", [](stage& it) -> awaitable<void> {
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
  with_movers("once", [](stage& it) -> awaitable<void> {
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
  with_movers("deleted-runs", [](stage& it) -> awaitable<void> {
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
  with_movers("let-go", [](stage& it) -> awaitable<void> {
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
  with_movers("stopped", [](stage& it) -> awaitable<void> {
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

// ---- grants

/// A Job of plain containers whose pod may read one ConfigMap.
proto::create_job granted(stage const& it) {
  auto role = json::parse(R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"reads-ca","namespace":")" +
                          it.ns + R"("},"rules":[{"apiGroups":[""],"resources":["configmaps"],"resourceNames":["ca"],"verbs":["get"]}]})");
  auto policy = json::parse(R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"to-etcd","namespace":")" +
                            it.ns + R"("},"spec":{"podSelector":{"matchLabels":{"app":"etcd"}},"policyTypes":["Ingress"]}})");
  proto::create_job out{.run = "run-a", .attempt = 1, .namespace_ = it.ns};
  out.body = proto::pod_plan{.main = {.name = "main", .image = "ours"}, .grants = {role.value(), policy.value()}};
  out.pod = proto::pod_options{.volumes = proto::volume_group::Always};
  return out;
}
awaitable<bool> there(stage& it, std::string kind, std::string name) {
  auto found = co_await it.all.read({std::move(kind), it.ns, std::move(name), ""});
  co_return found.has_value();
}

TEST(Grants, ExistBeforeThePodCanStartAndAreRevokedOnceItIsGone) {
  with_movers("grants", [](stage& it) -> awaitable<void> {
    must(co_await it.movers.create(granted(it)));
    for (int i = 0; i < 200 && !co_await it.has_secret("run-a-1"); ++i) co_await it.time.sleep_for(20ms);
    EXPECT_TRUE(co_await it.has_secret("run-a-1")) << "no container starts before it exists";
    EXPECT_TRUE(co_await there(it, "Role", "reads-ca"));
    EXPECT_TRUE(co_await there(it, "NetworkPolicy", "to-etcd"));
    must(co_await it.all.write_status(co_await it.job("run-a-1"), over_by_its_deadline()));
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_FALSE(co_await there(it, "Role", "reads-ca")) << "the Job itself names what it was granted";
    EXPECT_FALSE(co_await there(it, "NetworkPolicy", "to-etcd"));
  });
}

/// The command names them when no Job exists that could.
TEST(Grants, AreRevokedThoughTheJobIsGone) {
  with_movers("grants-alone", [](stage& it) -> awaitable<void> {
    must(co_await it.movers.create(granted(it)));
    for (int i = 0; i < 200 && !co_await it.has_secret("run-a-1"); ++i) co_await it.time.sleep_for(20ms);
    auto gone = co_await it.api.ask({.method = "DELETE", .path = path_of(*resource_of("Job"), it.ns, "run-a-1")});
    EXPECT_TRUE(gone);
    must(co_await it.movers.remove({.run = "run-a",
                                    .attempt = 1,
                                    .namespace_ = it.ns,
                                    .grants = {{"Role", it.ns, "reads-ca", {}}, {"NetworkPolicy", it.ns, "to-etcd", {}}}}));
    EXPECT_FALSE(co_await there(it, "Role", "reads-ca"));
    EXPECT_FALSE(co_await there(it, "NetworkPolicy", "to-etcd"));
  });
}

/// A user's object of that name, even with our labels: no seal, so it is neither used nor deleted.
TEST(Grants, OfAnotherAreNeitherUsedNorDeleted) {
  with_movers("grants-foreign", [](stage& it) -> awaitable<void> {
    co_await it.put(R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"reads-ca","namespace":")" + it.ns +
                    R"(","labels":{")" + ours("run") + R"(":"run-a"}},"rules":[]})");
    must(co_await it.movers.create(granted(it)));
    co_await it.until([&] { return it.reason("run-a-1") == "GrantFailed"; }, "the reason is not told");
    EXPECT_FALSE(co_await it.has_secret("run-a-1"));
    must(co_await it.all.write_status(co_await it.job("run-a-1"), over_by_its_deadline()));
    must(co_await it.movers.remove({.run = "run-a", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_TRUE(co_await there(it, "Role", "reads-ca"));
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
