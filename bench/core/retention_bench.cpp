#include <benchmark/benchmark.h>

#include "services/retention/core/explain.hpp"
#include "services/retention/core/judge.hpp"

using namespace kopiur;
using namespace kopiur::retention;

namespace {

instant const now = instant_from("2026-11-21T18:00:00Z").value();

/// A Backup every five minutes, newest last, which is the worst input order.
std::vector<row> history(std::size_t n) {
  std::vector<row> rows;
  for (std::size_t i = 0; i < n; ++i)
    rows.push_back({.id = "nightly-" + std::to_string(i),
                    .ended = now - std::chrono::minutes(5 * (n - i)),
                    .origin = proto::backup_origin::scheduled,
                    .phase = proto::backup_phase::Succeeded,
                    .has_snapshot = true});
  return rows;
}

void retention_judge(benchmark::State& state) {
  auto rows = history(static_cast<std::size_t>(state.range(0)));
  auto by = compile({.keep_latest = 10,
                     .keep_hourly = 48,
                     .keep_daily = 30,
                     .keep_weekly = 12,
                     .keep_monthly = 24,
                     .keep_annual = 10,
                     .timezone = "Europe/Berlin"})
                .value();
  for (auto _ : state) benchmark::DoNotOptimize(judge(rows, by, now));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(retention_judge)->Arg(1000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void retention_explain(benchmark::State& state) {
  auto rows = history(static_cast<std::size_t>(state.range(0)));
  auto by = compile({.keep_latest = 10, .keep_daily = 30, .keep_weekly = 12, .keep_monthly = 24}).value();
  for (auto _ : state) benchmark::DoNotOptimize(explain(rows, by, now));
}
BENCHMARK(retention_explain)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
