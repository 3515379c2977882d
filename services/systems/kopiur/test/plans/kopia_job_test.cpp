#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

std::string cache_key(repository_access access) {
  create_job command{.body = kopia_task{.repository = std::move(access)}};
  state_needs(command);
  return command.pod->cache->key;
}

TEST(KopiaJob, HasACacheForEachRepository) {
  repository_access a{.backend = s3_backend{.bucket = "b", .prefix = "x", .endpoint = {}, .region = {}, .auth = {}, .tls = {}}};
  auto b = a;
  std::get<s3_backend>(b.backend).prefix = "y";
  EXPECT_NE(cache_key(a), cache_key(b));
  a.unique_ID = b.unique_ID = "one";
  EXPECT_EQ(cache_key(a), cache_key(b));
  b.unique_ID = "two";
  EXPECT_NE(cache_key(a), cache_key(b));
}

TEST(KopiaJob, RunsAsTheAccountThatMayReachTheStorage) {
  auto needs = [](backend where) {
    create_job command{.body = kopia_task{.repository = repository_access{.backend = std::move(where)}}};
    state_needs(command);
    return *command.pod;
  };
  backend_auth const as{.workload_identity = workload_identity{"backups"}};
  EXPECT_EQ(needs(s3_backend{.bucket = "b", .auth = as}).service_account, "backups");
  EXPECT_TRUE(needs(s3_backend{.bucket = "b", .auth = as}).labels.empty());
  EXPECT_EQ(needs(azure_backend{.container = "c", .storage_account = "s", .auth = as}).labels.at("azure.workload.identity/use"), "true");
  EXPECT_FALSE(needs(s3_backend{.bucket = "b"}).service_account);
}

/// A result of another task may be found under the name of this attempt, when the bus had lost the run.
TEST(KopiaJob, IsAnsweredByTheResultOfItsTaskOnly) {
  run_state run{.run = "r", .plan = run_plan{.body = kopia_task{.task = snapshot_work{}}}};
  kopia_result saved{.run = "r", .outcome = outcome::Succeeded, .snapshot = snapshot_row{.id = "k"}};
  kopia_result swept{.run = "r", .outcome = outcome::Succeeded};
  EXPECT_TRUE(is_kopia_answer(run, saved));
  EXPECT_FALSE(is_kopia_answer(run, swept));
  run.undoing = true;
  EXPECT_FALSE(is_kopia_answer(run, saved));
  EXPECT_TRUE(is_kopia_answer(run, swept));
  EXPECT_FALSE(is_kopia_answer(run, *job_result::from_json(json::parse(R"({"run":"r","rows":"many"})").value()))) << "not kopia's";
}

}  // namespace
}  // namespace kopiur::plans
