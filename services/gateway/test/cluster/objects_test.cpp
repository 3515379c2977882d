#include "services/gateway/kubernetes/objects/objects.hpp"

#include "services/gateway/core/objects.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;

/// The objects of a separate namespace.
class stage : public stage_base {
 public:
  using stage_base::stage_base;

  json::value backup(std::string name, std::string const& run, std::string const& spec = R"("configRef":{"name":"photos"})") const {
    return json::parse(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Backup","metadata":{"name":")" + name +
                       R"(","namespace":")" + ns + R"(","labels":{"kopiur.home-operations.com/run":")" + run + R"("}},"spec":{)" + spec +
                       "}}")
        .value();
  }
  awaitable<json::value> made(std::string name) { co_return must(co_await all.create(backup(std::move(name), "run-1"))); }
  proto::object_ref ref(std::string name, std::string uid = "") const { return {"Backup", ns, std::move(name), std::move(uid)}; }
  proto::object_ref ref_of(json::value const& object) const {
    return ref(std::string(object.text("metadata.name")), std::string(uid_of(object)));
  }
};

std::string finalizers(json::value const& object) {
  auto* all = object.at("metadata.finalizers");
  return all ? json::dump(*all) : "";
}

TEST(Objects, AreCreatedOrProved) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "created");
    co_await it.make_namespace();
    auto first = co_await it.made("b");
    auto again = co_await it.all.create(it.backup("b", "run-1"));
    EXPECT_EQ(uid_of(*again), uid_of(first)) << "the same run asks again";
    EXPECT_EQ(code_of(co_await it.all.create(it.backup("b", "run-2"))), answer_code::AlreadyExists);
    EXPECT_EQ(code_of(co_await it.all.create(it.backup("x", "run-2", R"("configRef":7)"))), answer_code::Invalid);
    EXPECT_EQ(code_of(co_await it.all.read(it.ref("b", "another-uid"))), answer_code::NotFound);
    EXPECT_EQ(code_of(co_await it.all.read(it.ref("none"))), answer_code::NotFound);
  });
}

TEST(Objects, AppliedKeepWhatIsNotTheirs) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "applied");
    co_await it.make_namespace();
    auto made = co_await it.made("b");
    (void)co_await it.all.patch({.object = it.ref_of(made), .add_finalizers = {"kopiur.home-operations.com/snapshot-cleanup"}});
    auto changed = it.backup("b", "run-1", R"("configRef":{"name":"photos"},"pin":true)");
    auto after = must(co_await it.all.apply(changed));
    EXPECT_EQ(uid_of(after), uid_of(made));
    EXPECT_TRUE(after.at("spec.pin") && *after.at("spec.pin")->as_bool());
    EXPECT_EQ(finalizers(after), R"(["kopiur.home-operations.com/snapshot-cleanup"])");
  });
}

TEST(Objects, ArePatchedOnceEachWhoeverElseWrites) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "patched");
    co_await it.make_namespace();
    auto made = co_await it.made("b");
    app::nursery writers(loop.get_executor());
    auto write = [&](int i) -> awaitable<void> {
      proto::patch_metadata change{.object = it.ref_of(made), .add_finalizers = {"kopiur.home-operations.com/f" + std::to_string(i)}};
      change.annotations["a" + std::to_string(i)] = "x";
      auto done = co_await it.all.patch(std::move(change));
      EXPECT_FALSE(code_of(done)) << done.error().message;
    };
    for (int i = 0; i < 4; ++i) writers.spawn(write(i));
    co_await writers.join();
    auto now = co_await it.all.read(it.ref_of(made));
    EXPECT_EQ(now->at("metadata.finalizers")->as_array()->size(), 4u) << finalizers(*now);
    EXPECT_EQ(now->at("metadata.annotations")->as_object()->size(), 4u);
    auto same = co_await it.all.patch({.object = it.ref_of(made), .add_finalizers = {"kopiur.home-operations.com/f1"}});
    EXPECT_EQ(version_of(*same), version_of(*now)) << "what changes nothing writes nothing";
    EXPECT_EQ(code_of(co_await it.all.patch({.object = it.ref("b", "another-uid")})), answer_code::NotFound);
  });
}

TEST(Objects, ArePatchedFromWhatTheWatchHasTold) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "known");
    co_await it.make_namespace();
    auto made = co_await it.made("b");
    constexpr auto* theirs = "kubectl.kubernetes.io/last-applied-configuration";
    auto applied = must(co_await it.all.patch({.object = it.ref_of(made), .annotations = {{theirs, "{}"}}}));
    auto known = mirror_form(applied);
    EXPECT_FALSE(known.at("metadata.annotations")) << "the watch keeps nothing of it";
    auto held = must(co_await it.all.patch({.object = it.ref_of(made), .add_finalizers = {"example.org/ours"}}, known));
    auto marked = must(co_await it.all.patch({.object = it.ref_of(made), .annotations = {{"a", "1"}}}, mirror_form(held)));
    EXPECT_EQ(marked.at("metadata.annotations")->as_object()->size(), 2u) << "what the watch does not know stays";
    // The known copy is outdated now: later changes stay too.
    auto again = must(co_await it.all.patch({.object = it.ref_of(made), .annotations = {{"b", "2"}}}, known));
    EXPECT_EQ(again.at("metadata.annotations")->as_object()->size(), 3u);
    EXPECT_EQ(finalizers(again), R"(["example.org/ours"])");
    auto undone = must(co_await it.all.patch({.object = it.ref_of(made), .annotations = {{"a", "0"}}}, mirror_form(again)));
    auto kept = must(co_await it.all.patch({.object = it.ref_of(made), .annotations = {{"a", "1"}}}, mirror_form(again)));
    EXPECT_EQ(*undone.find("metadata")->find("annotations")->find("a"), json::value("0"));
    EXPECT_EQ(*kept.find("metadata")->find("annotations")->find("a"), json::value("1"))
        << "nothing to do by what is known, which is behind";
    auto without = must(co_await it.all.patch({.object = it.ref_of(made), .remove_annotations = {"a"}}, mirror_form(kept)));
    EXPECT_EQ(without.at("metadata.annotations")->as_object()->size(), 2u) << "what the watch does not know stays";
  });
}

TEST(Objects, GoByTheirUidAndStayWhileFinalizersHoldThem) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "removed");
    co_await it.make_namespace();
    auto made = co_await it.made("b");
    std::string const hold = "kopiur.home-operations.com/snapshot-cleanup";
    (void)co_await it.all.patch({.object = it.ref_of(made), .add_finalizers = {hold}});
    auto other = co_await it.all.remove({.object = it.ref("b", "another-uid"), .annotations = {}});
    EXPECT_TRUE(other && other->is_null()) << "that one is gone";
    auto going =
        must(co_await it.all.remove({.object = it.ref_of(made), .annotations = {{"kopiur.home-operations.com/pruned-by", "keepLatest"}}}));
    EXPECT_TRUE(is_terminating(going));
    EXPECT_EQ(annotation(going, "kopiur.home-operations.com/pruned-by"), "keepLatest");
    EXPECT_EQ(code_of(co_await it.all.patch({.object = it.ref_of(made), .add_finalizers = {"kopiur.home-operations.com/late"}})),
              answer_code::Forbidden);
    auto gone = co_await it.all.patch({.object = it.ref_of(made), .remove_finalizers = {hold}});
    EXPECT_TRUE(gone && gone->is_null());
    auto again = co_await it.all.remove({.object = it.ref_of(made), .annotations = {}});
    EXPECT_TRUE(again && again->is_null());
  });
}

TEST(Objects, TakeAStatusForTheVersionThatWasRead) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "status");
    co_await it.make_namespace();
    auto made = co_await it.made("b");
    auto status = [](std::string phase) { return json::value(json::object{{"phase", phase}}); };
    auto running = must(co_await it.all.write_status(made, status("Running")));
    EXPECT_EQ(running.text("status.phase"), "Running");
    EXPECT_EQ(code_of(co_await it.all.write_status(made, status("Failed"))), answer_code::Conflict) << "it was changed since it was read";
    auto quiet = co_await it.all.write_status(running, status("Running"));
    EXPECT_EQ(version_of(*quiet), version_of(running)) << "what changes nothing writes nothing";
    (void)co_await it.all.remove({.object = it.ref_of(made), .annotations = {}});
    auto again = co_await it.made("b");
    EXPECT_EQ(code_of(co_await it.all.write_status(running, status("Succeeded"))), answer_code::NotFound) << "it was made again";
    EXPECT_TRUE((co_await it.all.read(it.ref_of(again)))->find("status") == nullptr);
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
