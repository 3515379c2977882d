#include "services/gateway/core/epochs.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/volumes.hpp"

namespace kopiur::gateway {
namespace {

instant const start = *instant_from("2026-11-21T06:00:00Z");
json::value parsed(std::string_view text) { return *json::parse(text); }

TEST(Paths, AreReplacedWherePathsStandAndNowhereElse) {
  proto::work work;
  work.repository.backend = proto::filesystem_backend{.path = "{{repository}}/kopia", .pvc_name = {}, .nfs = {}};
  work.repository.cache_directory = "{{cache}}";
  work.task = proto::snapshot_work{.path = "{{source}}/data",
                                   .source = {.username = "u", .hostname = "h", .source_path = "{{source}}"},
                                   .tags = {{"t", "{{source}}"}},
                                   .description = {},
                                   .policy = {},
                                   .start_time = {},
                                   .end_time = {}};
  auto placed = with_paths(work, {{"repository", "/r"}, {"cache", "/c"}, {"source", "/s"}});
  ASSERT_TRUE(placed);
  EXPECT_EQ(std::get<proto::filesystem_backend>(placed->repository.backend).path, "/r/kopia");
  EXPECT_EQ(placed->repository.cache_directory, "/c");
  auto const& task = std::get<proto::snapshot_work>(placed->task);
  EXPECT_EQ(task.path, "/s/data");
  EXPECT_EQ(task.source.source_path, "{{source}}");
  EXPECT_EQ(task.tags.at("t"), "{{source}}");
  EXPECT_FALSE(with_paths(work, {{"repository", "/r"}, {"cache", "/c"}}));
}

TEST(JobName, IsSafeAsAFolder) {
  EXPECT_EQ(*job_name("r-1", 2), "r-1-2");
  for (auto* bad : {"", "..", "a/b", "A"}) EXPECT_FALSE(job_name(bad, 1)) << bad;
  EXPECT_FALSE(job_name("r", 0));
}

TEST(CacheKey, TellsRepositoriesApart) {
  proto::repository_access a{.backend =
                                 proto::s3_backend{.bucket = "b", .prefix = "x", .endpoint = {}, .region = {}, .auth = {}, .tls = {}}};
  auto b = a;
  std::get<proto::s3_backend>(b.backend).prefix = "y";
  EXPECT_NE(cache_key(a), cache_key(b));
  a.unique_ID = b.unique_ID = "one";
  EXPECT_EQ(cache_key(a), cache_key(b));
  b.unique_ID = "two";
  EXPECT_NE(cache_key(a), cache_key(b));
}

TEST(RowPager, CutsPagesByRowsAndBytes) {
  row_pager pager;
  std::vector<std::size_t> pages;
  for (int i = 0; i < 450; ++i)
    if (auto page = pager.add({.id = std::to_string(i)})) pages.push_back(page->rows.size());
  if (auto page = pager.finish()) pages.push_back(page->rows.size());
  EXPECT_EQ(pages, (std::vector<std::size_t>{200, 200, 50}));
  EXPECT_EQ(pager.finish(), std::nullopt) << "nothing is left";
  for (int i = 0; i < 10; ++i)
    if (auto page = pager.add({.id = std::string(10'000, 'x')})) EXPECT_LE(page->rows.size(), 4u);
}

TEST(Masked, HidesSecretsWhereverTheyStand) {
  EXPECT_EQ(masked("password hunter2 and hunter2!", {"hunter2"}), "password *** and ***!");
  EXPECT_EQ(masked("abcdef abc", {"abc", "abcdef"}), "*** abc") << "shorter than four characters hides nothing";
  EXPECT_EQ(tail("aéz", 2), "z") << "never half a character";
}

TEST(Ended, IsFinishedOnlyWithItsOwnResult) {
  proto::create_job spec{
      .run = "r", .attempt = 2, .namespace_ = {}, .serves = {}, .work = {}, .secrets = {}, .volumes = {}, .leases = {}, .pod = {}};
  proto::work_result result;
  result.run = "r", result.attempt = 2, result.outcome = proto::outcome::Succeeded;
  EXPECT_EQ(ended({}, spec, {.result = result, .stopped = {}, .ending = {}}, start).phase, proto::job_phase::Finished);
  auto stale = result;
  stale.attempt = 1;
  auto lost = ended({}, spec, {.result = stale, .stopped = {}, .ending = "signal 9"}, start);
  EXPECT_EQ(lost.phase, proto::job_phase::Lost);
  EXPECT_TRUE(lost.pods_gone);
  EXPECT_NE(lost.message.find("signal 9"), std::string::npos);
  auto cancelled = result;
  cancelled.outcome = proto::outcome::Failed;
  cancelled.failure = proto::run_failure{.class_ = proto::failure_class::Cancelled, .message = {}, .stderr_tail = {}};
  auto late = ended({}, spec, {.result = cancelled, .stopped = std::string(stop_deadline), .ending = {}}, start);
  EXPECT_EQ(late.phase, proto::job_phase::Lost);
  EXPECT_EQ(late.reason, "DeadlineExceeded");
  EXPECT_EQ(ended({}, spec, {.result = result, .stopped = std::string(stop_deadline), .ending = {}}, start).phase,
            proto::job_phase::Finished)
      << "it was done before it could be stopped";
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
