#include "services/mover/core/progress.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover {
namespace {

TEST(UploadFrame, IsReadWithAndWithoutAnEstimate) {
  auto frame = read_frame(" - 2 hashing, 4 hashed (215 MB), 4 cached (167.8 MB), uploaded 166.9 MB, estimated 461.4 MB (83.0%) 0s left");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->progress.bytes_hashed, 215'000'000);
  EXPECT_EQ(frame->progress.bytes_uploaded, 166'900'000);
  EXPECT_EQ(frame->progress.files_processed, 8);
  EXPECT_DOUBLE_EQ(frame->progress.percent.value_or(0), 83.0);
  auto early = read_frame(" | 1 hashing, 0 hashed (2 B), 0 cached (0 B), uploaded 0 B, estimating...");
  ASSERT_TRUE(early);
  EXPECT_FALSE(early->progress.percent);
}

TEST(UploadFrame, IsReadWithErrorCounts) {
  auto frame = read_frame(" * 0 hashing, 2 hashed (10 B), 0 cached (0 B), uploaded 1.5 KB (1 fatal errors), estimating...");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->progress.bytes_uploaded, 1500);
}

TEST(RestoreFrame, IsRead) {
  auto frame = read_frame("Processed 10 (52.4 MB) of 9 (52.4 MB) 20 MB/s (99.9%) remaining 1s.");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->progress.files_processed, 10);
  EXPECT_DOUBLE_EQ(frame->progress.percent.value_or(0), 99.9);
}

TEST(Frame, IsNothingElse) {
  for (auto* text : {"", " ", "Snapshotting u@h:/x ...", " ! Error when processing \"a\": permission denied", "Processed many of them",
                     " - 2 hashing, 4 hashed (215 MB", " - x hashing, 4 hashed (2 MB), 4 cached (1 MB), uploaded 1 MB, estimating...",
                     " - 2 hashing, 4 hashed (99999999999999999999 EB), 4 cached (1 MB), uploaded 1 MB, ",
                     " - 2 hashing, -4 hashed (2 MB), 4 cached (1 MB), uploaded 1 MB, estimating...",
                     " - 2 hashing, 9223372036854775807 hashed (2 MB), 9223372036854775807 cached (1 MB), uploaded 1 MB, estimating..."})
    EXPECT_FALSE(read_frame(text)) << text;
}

/// Trials, T7: text after the first frame is not part of the frame: it may be the reason for a failure.
TEST(Frame, EndsWhereItsGrammarEnds) {
  auto rest = [](std::string const& record) {
    auto frame = read_frame(record);
    return frame ? std::string(frame->rest) : "no frame";
  };
  std::string const failed = "error restoring: restore error: copy file: write /t/f1: no space left on device";
  EXPECT_EQ(rest("Processed 1 (63.1 MB) of 6 (120 MB)." + failed), failed);
  EXPECT_EQ(rest("Processed 1 (63.1 MB) of 6 (120 MB) 1.5 MB/s (52.6%) remaining 1h2m3s.   " + failed), failed);
  EXPECT_EQ(rest("Processed 1 (63 MB) of 6 (120 MB), skipped 2 (1.2 KB), ignored 3 errors 10 MB/s (5.0%) remaining 3s." + failed), failed);
  std::string const flush = "flush error: error flushing contents: no space left on device";
  EXPECT_EQ(rest(" / 0 hashing, 6 hashed (120 MB), 0 cached (0 B), uploaded 272.8 MB (2 fatal errors), estimated 120 MB (100.0%) 0s left" +
                 flush),
            flush);
  EXPECT_EQ(rest(" * 0 hashing, 6 hashed (1 B), 0 cached (0 B), uploaded 95.4 MB (1 errors ignored), estimating...  " + flush), flush);
  EXPECT_EQ(rest("Processed 1 (1 B) of 1 (1 B).    "), "");
}

TEST(RestoreFrame, IsNoFrameWhereItDoesNotEnd) {
  for (auto* rest : {"", "%", " (1.2.3%)", " (%) remaining 5.", " 1 MB/s (1%) remaining ."})
    EXPECT_FALSE(read_frame("Processed 1 (1 B) of 1 (1 B)" + std::string(rest))) << rest;
}

TEST(Frame, CutAnywhereIsNoFrameOrAWholeOne) {
  std::string const whole = " - 2 hashing, 4 hashed (215 MB), 4 cached (167.8 MB), uploaded 166.9 MB, estimated 461.4 MB (83.0%) 0s left";
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    if (auto frame = read_frame(std::string_view(whole).substr(0, cut))) {
      EXPECT_EQ(frame->progress.bytes_uploaded, 166'900'000) << cut;
    }
}

TEST(Size, IsReadInDecimalUnitsOnly) {
  EXPECT_EQ(read_size("0 B"), 0);
  EXPECT_EQ(read_size("1.5 GB"), 1'500'000'000);
  for (auto* text : {"", "B", "1", "1 KiB", "-1 B", "nan B", "1 B ", "1e300 EB"}) EXPECT_EQ(read_size(text), std::nullopt) << text;
}

TEST(Throttle, LetsOneLinePassEveryTwoSecondsAndSurvivesClockSteps) {
  throttle frames;
  instant const start{std::chrono::hours(24)};
  EXPECT_TRUE(frames.may_pass(start));
  EXPECT_FALSE(frames.may_pass(start + duration(1999)));
  EXPECT_TRUE(frames.may_pass(start + duration(2000)));
  EXPECT_TRUE(frames.may_pass(start)) << "the wall clock was stepped back";
}

}  // namespace
}  // namespace kopiur::mover
