#include "services/gateway/core/progress.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"

namespace kopiur::gateway {
namespace {

using namespace std::chrono_literals;

json::value job_of(std::string kind) {
  proto::job one{.run = "backup-1",
                 .attempt = 1,
                 .namespace_ = "home",
                 .uid = "j",
                 .serves = {{std::move(kind), "home", "o", "u"}, {"Repository", "home", "r", "x"}}};
  return json::encode(one);
}
json::value at(double percent, std::string phase = "hashing") {
  return json::encode(proto::kopia_progress{percent, 100, 50, 3, std::move(phase)});
}

TEST(Progress, StandsInTheObjectEveryThirtySecondsAtMost) {
  progress_book book;
  instant now{1'000'000ms};
  EXPECT_TRUE(book.take("backup-1", at(1), now).empty()) << "nobody knows yet what it is for";
  book.know(job_of("Backup"));
  auto first = book.take("backup-1", at(10.9), now);
  ASSERT_EQ(first.size(), 1U) << "a Backup has progress, its repository has none";
  EXPECT_EQ(first[0].object.uid, "u");
  EXPECT_EQ(json::dump(*first[0].status.at("progress.percent")), "10");
  EXPECT_TRUE(book.take("backup-1", at(20), now + 29s).empty());
  EXPECT_EQ(book.take("backup-1", at(30), now + 30s).size(), 1U);
  EXPECT_EQ(book.take("backup-1", at(31), now - 1h).size(), 1U) << "a clock that was set back does not silence it";
}

TEST(Progress, OfWhatOnlyConnectsIsNoNumber) {
  progress_book book;
  book.know(job_of("Backup"));
  EXPECT_TRUE(book.take("backup-1", at(0, "connecting"), instant{}).empty());
}

TEST(Progress, OfARestoreIsWhatItWrote) {
  progress_book book;
  book.know(job_of("Restore"));
  auto said = book.take("backup-1", at(50, "restoring"), instant{1h});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(json::dump(said[0].status), R"({"progress":{"bytesRestored":100,"filesRestored":3,"percent":50}})");
}

TEST(Progress, BeyondItsEndIsAtItsEnd) {
  progress_book book;
  book.know(job_of("Backup"));
  auto percent = [&](double said, instant now) {
    return json::dump(*book.take("backup-1", at(said), now).at(0).status.at("progress.percent"));
  };
  EXPECT_EQ(percent(1e300, instant{1h}), "100");
  EXPECT_EQ(percent(-1e300, instant{2h}), "0");
}

TEST(Progress, EndsWithItsJob) {
  progress_book book;
  book.know(job_of("Backup"));
  book.forget("backup-1-1");
  EXPECT_TRUE(book.take("backup-1", at(50), instant{1h}).empty());
}

}  // namespace
}  // namespace kopiur::gateway
