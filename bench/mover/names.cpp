#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "bench/figures.hpp"
#include "bench/mover/bench.hpp"
#include "common/testing/folder.hpp"
#include "services/mover/shell/walk.hpp"

namespace {

namespace fs = std::filesystem;
constexpr double bar_seconds = 5;

void make_files(fs::path const& root, long files) {
  for (long i = 0; i < files; ++i) {
    auto folder = root / std::to_string(i / 1000);
    if (i % 1000 == 0) fs::create_directories(folder);
    ::close(::open((folder / ("a-file-of-some-name-" + std::to_string(i))).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  }
}

}  // namespace

int bench_names(numbers const& numbers) {
  kopiur::testing::folder root;
  long files = numbers.contains("files") ? numbers.at("files") : 1'000'000;
  make_files(root.path(), files);
  std::vector<double> seconds;
  long before = peak_resident_KiB(0);
  for (int round = 0; round < 4; ++round) {
    auto begin = std::chrono::steady_clock::now();
    kopiur::mover::name_walk walk(root.path());
    while (walk.go_on(4'000)) continue;
    if (!walk.found().empty()) return 1;
    if (round > 0) seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  auto median = kopiur::bench::quantile(seconds, 0.5);
  std::printf("a walk of the names of %ld files, warm: %.2f s (%.2f to %.2f), %ld KiB more\n", files, median, seconds.front(),
              seconds.back(), peak_resident_KiB(0) - before);
  if (median > bar_seconds) std::printf("missed: 5 s\n");
  return median > bar_seconds;
}
