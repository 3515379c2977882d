#pragma once
#include "proto/codec.hpp"
#include "services/gateway/kubernetes/jobs/jobs.hpp"
#include "services/gateway/test/cluster/api.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

/// Shared by the tests of Jobs.
namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using proto::answer_code;

/// Jobs on an API server without nodes; e2e/cluster tests them with a node.
class jobs_stage : public stage_base {
 public:
  jobs_stage(asio::io_context& loop, std::string name)
      : stage_base(loop, std::move(name)),
        movers(
            api, time, loop.get_executor(),
            {.pods = {.image = "none", .seal_secret = "ours", .images = {{"ours", "none"}}}, .namespace_ = ns, .output = {.bytes = 10'000}},
            {[this](cluster_change change) { take(std::move(change)); }, [] {}}) {}

  proto::create_job command(std::string run) const {
    proto::create_job out{.run = std::move(run), .attempt = 1, .namespace_ = ns};
    proto::kopia_of(out).run = out.run;
    proto::kopia_of(out).repository = proto::repository_access{.backend = proto::filesystem_backend{.path = "/"}};
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
  /// The Secret of the Job exists, so its containers can start.
  awaitable<void> until_furnished(std::string name) {
    for (int i = 0; i < 200 && !co_await has_secret(name); ++i) co_await time.sleep_for(20ms);
    EXPECT_TRUE(co_await has_secret(name));
  }
  std::string reason(std::string const& name) const { return reasons.contains(name) ? reasons.at(name) : "not told"; }
  awaitable<void> until(std::function<bool()> holds, std::string what) {
    auto wait = [](jobs_stage& it, std::function<bool()> is) -> awaitable<void> {
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

inline json::value over_by_its_deadline() {
  return json::parse(R"({"startTime":"2026-11-22T08:00:00Z","conditions":[
      {"type":"FailureTarget","status":"True","reason":"DeadlineExceeded","lastTransitionTime":"2026-11-22T08:00:00Z"},
      {"type":"Failed","status":"True","reason":"DeadlineExceeded","lastTransitionTime":"2026-11-22T08:00:00Z"}]})")
      .value();
}

inline void with_movers(std::string name, std::function<awaitable<void>(jobs_stage&)> story) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    jobs_stage it(loop, name);
    co_await it.make_namespace();
    co_await app::first_of(it.movers.run(), story(it));
  });
}

}  // namespace kopiur::gateway::kubernetes
