#include <chrono>
#include <cstdio>
#include <string>

#include "bench/mover/bench.hpp"
#include "common/json/codec.hpp"
#include "services/mover/core/manifest.hpp"

namespace {

std::string synthetic_row(long number) {
  char id[40];
  std::snprintf(id, sizeof id, "%032lx", static_cast<unsigned long>(number));
  return std::string(R"({"id":")") + id + R"(","source":{"host":"prod","userName":"app","path":"/pvc/data-)" +
         std::to_string(number % 500) +
         R"("},"description":"nightly","startTime":"2026-11-21T18:48:33.522613652Z","endTime":"2026-11-21T18:48:33.524723576Z",)"
         R"("stats":{"totalSize":4,"excludedTotalSize":0,"fileCount":2,"cachedFiles":0,"nonCachedFiles":2,"dirCount":2,"excludedFileCount":0,)"
         R"("excludedDirCount":0,"ignoredErrorCount":0,"errorCount":0},"rootEntry":{"name":"data","type":"d","mode":"0755",)"
         R"("mtime":"2026-11-21T18:48:32.771660437Z","obj":"k0fa21fffa417dc42c9a681fc23224c96","summ":{"size":4,"files":2,"symlinks":1,"dirs":2,)"
         R"("maxTime":"2026-11-21T18:48:32.771660437Z","numFailed":0}},"tags":{"tag:kopiur-run":"run-)" +
         std::to_string(number) + R"("}})";
}

}  // namespace

int bench_rows(numbers const& numbers) {
  auto rows = numbers.contains("rows") ? numbers.at("rows") : 50'000;
  auto before = peak_resident_KiB(0);
  auto begin = std::chrono::steady_clock::now();
  long seen = 0;
  std::size_t bytes = 0, printed = 0;
  kopiur::mover::element_splitter elements([&](std::string_view text) {
    auto read = kopiur::mover::parse_manifest(text);
    if (!read) return;
    ++seen;
    printed += kopiur::json::write(kopiur::proto::output_line(read->row)).size();
  });
  elements.feed("[\n");
  for (long i = 0; i < rows; ++i) {
    auto row = (i ? ",\n " : " ") + synthetic_row(i);
    bytes += row.size();
    elements.feed(std::string_view(row).substr(0, row.size() / 3));
    elements.feed(std::string_view(row).substr(row.size() / 3));
  }
  elements.feed("\n]");
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%ld rows, %.1f MB in, %.1f MB out: %.2f s, peak resident %.1f MiB (%.1f MiB before), %s\n", seen,
              static_cast<double>(bytes) / 1e6, static_cast<double>(printed) / 1e6, took.count(),
              static_cast<double>(peak_resident_KiB(0)) / 1024, static_cast<double>(before) / 1024,
              elements.whole() ? "whole" : "NOT WHOLE");
  return elements.whole() && seen == rows ? 0 : 1;
}
