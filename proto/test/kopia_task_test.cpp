#include "proto/kopiur/kopia_task.hpp"

#include <gtest/gtest.h>

namespace kopiur::proto {
namespace {

TEST(Paths, AreReplacedWherePathsStandAndNowhereElse) {
  kopia_task work;
  work.repository = repository_access{.backend = filesystem_backend{.path = "{{repository}}/kopia", .pvc_name = {}, .nfs = {}},
                                      .cache_directory = "{{cache}}"};
  work.task = snapshot_work{.path = "{{source}}/data",
                            .source = {.username = "u", .hostname = "h", .source_path = "{{source}}"},
                            .tags = {{"t", "{{source}}"}},
                            .description = {},
                            .policy = {},
                            .start_time = {},
                            .end_time = {}};
  auto placed = with_folders(work, {{"repository", "/r"}, {"cache", "/c"}, {"source", "/s"}});
  ASSERT_TRUE(placed);
  EXPECT_EQ(std::get<filesystem_backend>(placed->repository->backend).path, "/r/kopia");
  EXPECT_EQ(placed->repository->cache_directory, "/c");
  auto const& task = std::get<snapshot_work>(placed->task);
  EXPECT_EQ(task.path, "/s/data");
  EXPECT_EQ(task.source.source_path, "{{source}}");
  EXPECT_EQ(task.tags.at("t"), "{{source}}");
  EXPECT_FALSE(with_folders(work, {{"repository", "/r"}, {"cache", "/c"}}));
}

}  // namespace
}  // namespace kopiur::proto
