#include "services/gateway/test/cluster/jobs_stage.hpp"

/// What the pods of a Job are granted while it exists.
namespace kopiur::gateway::kubernetes {
namespace {

/// A Job of plain containers whose pod may read one ConfigMap.
proto::create_job granted(jobs_stage const& it) {
  auto role = json::parse(R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"reads-ca","namespace":")" +
                          it.ns + R"("},"rules":[{"apiGroups":[""],"resources":["configmaps"],"resourceNames":["ca"],"verbs":["get"]}]})");
  auto policy = json::parse(R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy","metadata":{"name":"to-etcd","namespace":")" +
                            it.ns + R"("},"spec":{"podSelector":{"matchLabels":{"app":"etcd"}},"policyTypes":["Ingress"]}})");
  proto::create_job out{.run = "run-a", .attempt = 1, .namespace_ = it.ns};
  out.body = proto::pod_plan{.main = {.name = "main", .image = "ours"}, .grants = {role.value(), policy.value()}};
  out.pod = proto::pod_options{.volumes = proto::volume_group::Always};
  return out;
}
awaitable<bool> there(jobs_stage& it, std::string kind, std::string name) {
  auto found = co_await it.all.read({std::move(kind), it.ns, std::move(name), ""});
  co_return found.has_value();
}

TEST(Grants, ExistBeforeThePodCanStartAndAreRevokedOnceItIsGone) {
  with_movers("grants", [](jobs_stage& it) -> awaitable<void> {
    must(co_await it.movers.create(granted(it)));
    co_await it.until_furnished("run-a-1");
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
  with_movers("grants-alone", [](jobs_stage& it) -> awaitable<void> {
    must(co_await it.movers.create(granted(it)));
    co_await it.until_furnished("run-a-1");
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
  with_movers("grants-foreign", [](jobs_stage& it) -> awaitable<void> {
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

/// The bus has lost the run, and a user has deleted its Job: nobody asks for it any more.
TEST(Grants, OfAJobThatIsGoneAreSweptAndNoOthers) {
  with_movers("grants-swept", [](jobs_stage& it) -> awaitable<void> {
    must(co_await it.movers.create(granted(it)));
    co_await it.until_furnished("run-a-1");
    co_await it.put(R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"a-users","namespace":")" + it.ns +
                    R"(","labels":{")" + ours("run") + R"(":"run-a"}},"rules":[]})");
    grant_sweep sweep({it.api, it.time, it.all}, {.namespace_ = it.ns, .seal_secret = "ours", .spared_for = duration(0)});
    EXPECT_TRUE(co_await sweep.look());
    EXPECT_TRUE(co_await there(it, "Role", "reads-ca")) << "its Job exists";
    must(co_await it.all.merge(proto::key_to<proto::job>(it.ns, "run-a-1"),
                               json::object{{"metadata", json::object{{"finalizers", nullptr}}}}));
    must(co_await it.api.ask({.method = "DELETE",
                              .path = path_of(*resource_of("Job"), it.ns, "run-a-1"),
                              .body = json::object{{"propagationPolicy", "Background"}}}));
    grant_sweep patient({it.api, it.time, it.all}, {.namespace_ = it.ns, .seal_secret = "ours"});
    EXPECT_TRUE(co_await patient.look());
    EXPECT_TRUE(co_await there(it, "Role", "reads-ca")) << "it is young";
    EXPECT_TRUE(co_await sweep.look());
    EXPECT_FALSE(co_await there(it, "Role", "reads-ca"));
    EXPECT_FALSE(co_await there(it, "NetworkPolicy", "to-etcd"));
    EXPECT_TRUE(co_await there(it, "Role", "a-users")) << "no seal";
  });
}

proto::create_job with_account(jobs_stage const& it, std::string owner_uid) {
  proto::create_job out{.run = "run-s", .attempt = 1, .namespace_ = it.ns};
  out.body = proto::pod_plan{
      .main = {.name = "main", .image = "ours"},
      .account = proto::pod_account{
          .name = "vault-restore", .owner = {"ConfigMap", it.ns, "owner", std::move(owner_uid)}, .annotations = {{"a.example/role", "r"}}}};
  out.pod = proto::pod_options{.service_account = "vault-restore", .volumes = proto::volume_group::Always};
  return out;
}

/// It is made before the Job, whose pod could not be made without it, and it stays: it belongs to its owner.
TEST(Accounts, AreMadeBeforeTheJobAndStay) {
  with_movers("accounts", [](jobs_stage& it) -> awaitable<void> {
    co_await it.put(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"owner","namespace":")" + it.ns + R"("}})");
    auto owner = must(co_await it.all.read({"ConfigMap", it.ns, "owner", ""}));
    must(co_await it.movers.create(with_account(it, std::string(uid_of(owner)))));
    auto made = must(co_await it.all.read({"ServiceAccount", it.ns, "vault-restore", ""}));
    EXPECT_EQ(made.at("metadata.ownerReferences")->as_array()->front().text("uid"), uid_of(owner));
    EXPECT_EQ(annotation(made, "a.example/role"), "r");
    EXPECT_EQ(*made.find("automountServiceAccountToken"), json::value(false));
    must(co_await it.all.write_status(co_await it.job("run-s-1"), over_by_its_deadline()));
    must(co_await it.movers.remove({.run = "run-s", .attempt = 1, .namespace_ = it.ns}));
    EXPECT_TRUE(co_await there(it, "ServiceAccount", "vault-restore"));
  });
}

TEST(Accounts, ThatExistAreLeftAsTheyAre) {
  with_movers("accounts-there", [](jobs_stage& it) -> awaitable<void> {
    co_await it.put(R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"vault-restore","namespace":")" + it.ns +
                    R"(","annotations":{"a.example/role":"theirs"}}})");
    must(co_await it.movers.create(with_account(it, "of-nobody")));
    auto kept = must(co_await it.all.read({"ServiceAccount", it.ns, "vault-restore", ""}));
    EXPECT_EQ(annotation(kept, "a.example/role"), "theirs");
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
