#include <algorithm>
#include <array>
#include <cmath>

#include "common/process/lines.hpp"
#include "e2e/fuzz/fuzz.hpp"
#include "services/mover/core/failure.hpp"
#include "services/mover/core/judge.hpp"
#include "services/mover/core/progress.hpp"

namespace kopiur::fuzz {
namespace {

using namespace mover;

std::vector<std::string> lines_of(std::string_view input, std::size_t at_a_time) {
  std::vector<std::string> all;
  process::line_splitter splitter([&](std::string_view line) { all.emplace_back(line); }, 256);
  for (auto piece : pieces(input, at_a_time)) splitter.feed(piece);
  splitter.finish();
  return all;
}

void check_frame(std::string_view record) {
  auto frame = read_frame(record);
  if (!frame) return;
  auto& progress = frame->progress;
  require(progress.bytes_hashed >= 0 && progress.bytes_uploaded >= 0 && progress.files_processed >= 0, "progress is not negative");
  require(!progress.percent || (std::isfinite(*progress.percent) && *progress.percent >= 0), "a percentage is a number");
  require(frame->rest.size() < record.size() && record.contains(frame->rest), "what follows is the end of the record");
}

void check_line(std::string_view line) {
  auto clean = process::without_escapes(line);
  require(clean.find('\x1b') == clean.npos && clean.size() <= line.size(), "no terminal escape is left");
  check_frame(line), check_frame(clean);
  if (auto size = read_size(line)) require(*size >= 0, "a size is not negative");
  if (auto version = version_in(line)) require(std::ranges::count(*version, '.') == 2, "a version has three parts");
}

}  // namespace

/// Text output of kopia: progress frames, errors.
void look(std::string_view input) {
  auto lines = lines_of(input, input.size() + 1);
  require(lines == lines_of(input, 3), "lines are the same, however the bytes arrive");
  for (auto& line : lines) {
    require(!line.empty() && line.size() <= 256 && line.find_first_of("\r\n") == line.npos, "a line is one line within the limit");
    check_line(line);
  }
  auto last = last_line(input);
  require(last.find('\n') == last.npos, "the last line is one line");
  std::array<std::string, 1> const secrets{"hunter22"};
  require(!redacted(std::string(input), secrets).contains(secrets[0]), "no secret is left");
  for (auto doing : {activity::Connecting, activity::Reading, activity::Snapshotting, activity::Restoring})
    require(!advice(classify(input, doing)).empty(), "each failure has an advice");
}

}  // namespace kopiur::fuzz
