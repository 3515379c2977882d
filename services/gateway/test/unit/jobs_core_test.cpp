#include "services/gateway/core/epochs.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/core/volumes.hpp"

namespace kopiur::gateway {
namespace {

instant const start = *instant_from("2026-11-21T06:00:00Z");
json::value parsed(std::string_view text) { return *json::parse(text); }

TEST(JobName, IsSafeAsAFolder) {
  EXPECT_EQ(*job_name("r-1", 2), "r-1-2");
  for (auto* bad : {"", "..", "a/b", "A"}) EXPECT_FALSE(job_name(bad, 1)) << bad;
  EXPECT_FALSE(job_name("r", 0));
}

/// On a host a Job of an older version may wait for its start, and its command states a capacity at most.
TEST(CacheFolder, IsNeverSharedWithoutAKey) {
  proto::create_job older{.run = "backup-1"},
      sized{.run = "backup-2", .pod = proto::pod_options{.cache = proto::pod_cache{.capacity = "8Gi"}}};
  EXPECT_EQ(cache_folder(older), "backup-1");
  EXPECT_EQ(cache_folder(sized), "backup-2");
  sized.pod->cache->key = "of-a-repository";
  EXPECT_EQ(cache_folder(sized), "of-a-repository");
}

TEST(RowPager, CutsPagesByRowsAndBytes) {
  row_pager pager;
  std::vector<std::size_t> pages;
  for (int i = 0; i < 450; ++i)
    if (auto page = pager.add(json::object{{"id", std::to_string(i)}})) pages.push_back(page->rows.size());
  if (auto page = pager.finish()) pages.push_back(page->rows.size());
  EXPECT_EQ(pages, (std::vector<std::size_t>{200, 200, 50}));
  EXPECT_EQ(pager.finish(), std::nullopt) << "nothing is left";
  for (int i = 0; i < 10; ++i)
    if (auto page = pager.add(json::object{{"id", std::string(10'000, 'x')}})) EXPECT_LE(page->rows.size(), 4u);
}

TEST(MoverOutput, KnowsWhenOneByteTooMuchWasPrinted) {
  mover_output said({[](json::value) {}, [](proto::output_page) {}}, {.bytes = 100});
  said.count(100);
  EXPECT_FALSE(said.is_too_large());
  said.count(1);
  EXPECT_TRUE(said.is_too_large()) << "a line that never ends counts too";
}

TEST(MoverOutput, KeepsNoRowsBeyondTheirLimit) {
  std::size_t rows = 0;
  std::string const row = R"({"row":{"id":"a"}})";
  mover_output said({[](json::value) {}, [&](proto::output_page page) { rows += page.rows.size(); }}, {.row_bytes = 3 * row.size()});
  for (int i = 0; i < 3; ++i) said.take(row);
  EXPECT_FALSE(said.is_too_large());
  for (int i = 0; i < 5; ++i) said.take(row);
  said.take(R"({"progress":{"done":1}})");
  EXPECT_TRUE(said.is_too_large());
  said.finish();
  EXPECT_EQ(rows, 3u);
}

TEST(Ended, IsFinishedOnlyWithItsOwnResult) {
  proto::create_job spec{.run = "r", .attempt = 2};
  proto::kopia_result result;
  result.run = "r", result.attempt = 2, result.outcome = proto::outcome::Succeeded;
  EXPECT_EQ(ended({}, spec, {.said = json::write(result)}, start).phase, proto::job_phase::Finished);
  auto stale = result;
  stale.attempt = 1;
  auto lost = ended({}, spec, {.said = json::write(stale), .ending = "signal 9"}, start);
  EXPECT_EQ(lost.phase, proto::job_phase::Lost);
  EXPECT_TRUE(lost.pods_gone);
  EXPECT_NE(lost.message.find("signal 9"), std::string::npos);
  auto cancelled = result;
  cancelled.outcome = proto::outcome::Failed;
  cancelled.failure = proto::run_failure{.class_ = proto::failure_class::Cancelled};
  auto late = ended({}, spec, {.said = json::write(cancelled), .stopped = std::string(stop_deadline)}, start);
  EXPECT_EQ(late.phase, proto::job_phase::Lost);
  EXPECT_EQ(late.reason, "DeadlineExceeded");
  EXPECT_EQ(ended({}, spec, {.said = json::write(result), .stopped = std::string(stop_deadline)}, start).phase, proto::job_phase::Finished)
      << "it was done before it could be stopped";
}

/// A program of another version may say more than this one knows.
TEST(Ended, KeepsAllThatTheProgramSaid) {
  proto::create_job spec{.run = "r", .attempt = 1};
  auto said =
      R"({"version":1,"run":"r","attempt":1,"outcome":"Failed","failure":{"class":"Brand","message":"new","retryable":false},"more":7})";
  auto status = ended({}, spec, {.said = said}, start);
  ASSERT_TRUE(status.result);
  EXPECT_EQ(status.result->failure->class_.json_text(), "Brand");
  EXPECT_EQ(json::dump(*json::encode(status).at("result.more")), "7");
}

TEST(Ended, OfPlainContainersIsTheirExitStatus) {
  proto::create_job spec{.run = "r", .attempt = 1, .body = proto::pod_plan{.main = {.name = "copy"}, .result = proto::pod_result::Text}};
  auto good = ended({}, spec, {.said = "3 files", .exit_status = 0, .container = "copy"}, start);
  ASSERT_TRUE(good.result);
  EXPECT_EQ(good.result->outcome, proto::outcome::Succeeded);
  EXPECT_EQ(good.result->as<proto::pod_report>()->text, "3 files");
  auto bad = ended({}, spec, {.said = "no", .exit_status = 3, .container = "fetch", .ending = "exit status 3"}, start);
  ASSERT_TRUE(bad.result);
  EXPECT_EQ(bad.result->failure->class_, proto::failure_class::ContainerFailed);
  EXPECT_EQ(bad.result->failure->message, "The container fetch failed: exit status 3.");
  EXPECT_EQ(bad.result->failure->stderr_tail, "no");
  EXPECT_EQ(ended({}, spec, {.ending = "Evicted"}, start).phase, proto::job_phase::Lost) << "nothing says how it ended";
  auto early = ended({}, spec, {.exit_status = 0, .container = "fetch"}, start);
  EXPECT_EQ(early.result->outcome, proto::outcome::Failed) << "the main container did not run";
  auto late = ended({}, spec, {.exit_status = 143, .container = "copy", .stopped = std::string(stop_deadline)}, start);
  EXPECT_EQ(late.reason, "DeadlineExceeded");
}

TEST(Losses, AreNewStreamsAndFewerMessages) {
  epochs known{{"runs", {"t1", 10}}, {"status", {"t1", 0}}};
  EXPECT_TRUE(losses(known, {{"runs", {"t1", 11}}, {"status", {"t1", 0}}, {"new", {"t2", 0}}}).empty());
  EXPECT_EQ(losses(known, {{"runs", {"t1", 9}}, {"status", {"t1", 0}}}).size(), 1u);
  EXPECT_EQ(losses(known, {{"runs", {"t2", 10}}}).size(), 2u);
  EXPECT_EQ(memorable({{"status", {"t", 9}}, {"runs", {"t", 9}}}), (epochs{{"status", {"t", 0}}, {"runs", {"t", 9}}}));
}

json::value claim(std::string_view spec, std::string_view annotations = "{}") {
  return parsed(R"({"kind":"PersistentVolumeClaim","metadata":{"name":"c","namespace":"n","uid":"u","annotations":)" +
                std::string(annotations) + R"(},"spec":)" + std::string(spec) + "}");
}
json::value volume(std::string_view name, std::string_view spec) {
  return parsed(R"({"kind":"PersistentVolume","metadata":{"name":")" + std::string(name) + R"("},"spec":)" + std::string(spec) + "}");
}

TEST(Claim, GetsTheVolumeThatItOrTheVolumeNames) {
  auto by_ref = volume("pv", R"({"hostPath":{"path":"/srv"},"claimRef":{"namespace":"n","name":"c"}})");
  EXPECT_EQ(std::get<bind_claim>(judge_claim(claim("{}"), {by_ref})).volume, "pv");
  auto plain = volume("pv", R"({"hostPath":{"path":"/srv"}})");
  EXPECT_EQ(std::get<bind_claim>(judge_claim(claim(R"({"volumeName":"pv"})"), {plain})).volume, "pv");
  EXPECT_TRUE(std::holds_alternative<make_volume>(judge_claim(claim("{}"), {plain})));
}

TEST(Claim, WaitsWithASentence) {
  EXPECT_TRUE(std::holds_alternative<wait_for>(judge_claim(claim(R"({"volumeName":"absent"})"), {})));
  auto others = volume("pv", R"({"hostPath":{"path":"/srv"},"claimRef":{"namespace":"n","name":"other"}})");
  EXPECT_TRUE(std::holds_alternative<wait_for>(judge_claim(claim(R"({"volumeName":"pv"})"), {others})));
  EXPECT_TRUE(std::holds_alternative<wait_for>(judge_claim(claim(R"({"volumeName":"pv"})"), {volume("pv", R"({"nfs":{}})")})));
  auto former = volume("pv", R"({"hostPath":{"path":"/srv"},"claimRef":{"namespace":"n","name":"c","uid":"former"}})");
  EXPECT_TRUE(std::holds_alternative<make_volume>(judge_claim(claim("{}"), {former}))) << "the former claim's bytes are not this one's";
}

TEST(Claim, OfARestoreIsBoundOnlyOnceFilled) {
  auto own = volume("pvc-u", R"({"hostPath":{"path":"/v"},"claimRef":{"namespace":"n","name":"c","uid":"u"}})");
  auto spec = R"({"dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r"}})";
  EXPECT_TRUE(std::holds_alternative<wait_for>(judge_claim(claim(spec), {own})));
  EXPECT_TRUE(std::holds_alternative<bind_claim>(judge_claim(claim(spec, R"({"kopiur.home-operations.com/restored-by":"r"})"), {own})));
}

}  // namespace
}  // namespace kopiur::gateway
