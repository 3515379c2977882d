#include "services/mover/core/check.hpp"

#include <gtest/gtest.h>

#include "common/json/codec.hpp"

namespace kopiur::mover {
namespace {

proto::repository_access access(std::string username, std::string cache) {
  return {.backend = proto::filesystem_backend{.path = "/repository"},
          .username = std::move(username),
          .hostname = "lab",
          .cache_directory = std::move(cache)};
}
proto::kopia_task good() {
  proto::kopia_task work{.run = "run-1"};
  work.repository = access("kopiur", "");
  work.task = proto::snapshot_work{.path = "/data", .source = {"u", "h", "/data"}};
  return work;
}

proto::snapshot_work& task_of(proto::kopia_task& work) { return std::get<proto::snapshot_work>(work.task); }

TEST(Work, ThatIsGoodPasses) {
  auto read = read_work(json::write(good()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->run, "run-1");
}

struct change {
  char const* expected;
  std::function<void(proto::kopia_task&)> make;
};

TEST(Work, ThatKopiaWouldMisreadIsRefusedWithTheFieldsName) {
  change const changes[] = {
      {"version", [](auto& w) { w.version = 2; }},
      {"run must", [](auto& w) { w.run.clear(); }},
      {"repository.username", [](auto& w) { w.repository = access("", ""); }},
      {"cacheDirectory", [](auto& w) { w.repository = access("kopiur", "relative"); }},
      {"snapshot.path", [](auto& w) { task_of(w).path = "data"; }},
      {"must not hold @", [](auto& w) { task_of(w).source.hostname = "a@b"; }},
      {"sourcePath", [](auto& w) { task_of(w).source.source_path = "data"; }},
      {"go together", [](auto& w) { task_of(w).start_time = instant{}; }},
      {"tag's key", [](auto& w) { task_of(w).tags = {{"a:b", "c"}}; }},
      {"mover's own", [](auto& w) { task_of(w).tags = {{"kopiur-run", "other"}}; }},
      {"extraArgs", [](auto& w) { task_of(w).policy.extra_args = {"--password=x"}; }},
      {"extraArgs", [](auto& w) { task_of(w).policy.extra_args = {"/etc"}; }},
      {"1024", [](auto& w) { task_of(w).description = std::string(1025, 'x'); }},
      {"not a snapshot id", [](auto& w) { w.task = proto::delete_work{{{"--all-snapshots-for-source", {"u", "h", "/p"}}}}; }},
      {"not a snapshot id", [](auto& w) { w.task = proto::delete_work{{{"k0fa21fffa417dc42c9a681fc23224c96", {"u", "h", "/p"}}}}; }},
      {"not a snapshot id", [](auto& w) { w.task = proto::browse_work{"../x", "/"}; }},
      {"root of the file system", [](auto& w) { w.task = proto::restore_work{std::string(32, 'a'), {"u", "h", "/p"}, "/"}; }},
      {"restore.target", [](auto& w) { w.task = proto::restore_work{std::string(32, 'a'), {"u", "h", "/p"}, "x"}; }},
      {"restore.target", [](auto& w) { w.task = proto::restore_work{std::string(32, 'a'), {"u", "h", "/p"}, ""}; }},
      {"restore.options.path",
       [](auto& w) { w.task = proto::restore_work{std::string(32, 'a'), {"u", "h", "/p"}, "/x", {.path = "../y"}}; }},
      {"restore.options.path", [](auto& w) { w.task = proto::restore_work{std::string(32, 'a'), {"u", "h", "/p"}, "/x", {.path = "/y"}}; }},
      {"user@host", [](auto& w) { w.task = proto::maintain_work{.owner = "me"}; }},
      {"sweep.run", [](auto& w) { w.task = proto::sweep_work{}; }},
  };
  for (auto const& [expected, make] : changes) {
    auto work = good();
    make(work);
    auto read = read_work(json::write(work));
    ASSERT_FALSE(read) << expected;
    EXPECT_EQ(read.error().class_, proto::kopia_failure::InvalidWork);
    EXPECT_NE(read.error().message.find(expected), std::string::npos) << read.error().message;
  }
  EXPECT_FALSE(read_work("not json"));
  EXPECT_FALSE(read_work("{\"run\":\"x\"}"));
}

TEST(Result, FitsIntoATerminationMessage) {
  proto::kopia_result result{.run = std::string(60, 'r')};
  result.failure = proto::run_failure{.message = std::string(5000, '\xc3') + "\xa9", .stderr_tail = std::string(5000, 'y')};
  for (int i = 0; i < 200; ++i) result.remaining.push_back(std::string(32, 'a'));
  result.remaining_count = 200;
  result.snapshot =
      proto::snapshot_row{.id = std::string(32, 'b'), .source = {"u", "h", std::string(900, 'p')}, .description = std::string(1024, '"')};
  result.stats.emplace();
  auto text = fitted(result);
  EXPECT_LE(text.size(), 2048U);
  EXPECT_NE(text.find("\"remainingCount\":200"), std::string::npos) << text;
}

TEST(Result, IsNotCutInsideACharacter) {
  proto::kopia_result result;
  std::string message;
  while (message.size() < 800) message += "\xe2\x82\xac";
  result.failure = proto::run_failure{.message = message};
  auto read = json::read<proto::kopia_result>(fitted(result));
  ASSERT_TRUE(read) << "no JSON";
  EXPECT_TRUE(read->failure->message.ends_with("\xe2\x82\xac..."));
}

}  // namespace
}  // namespace kopiur::mover
