#include <benchmark/benchmark.h>

#include "common/hash/stable_hash.hpp"
#include "common/time/cron.hpp"

using namespace kopiur;

namespace {

constexpr std::array crons{"*/15 * * * *", "H H(1-5) * * *", "30 2 * * 0", "0 0 29 2 *"};
instant const now = instant_from("2026-11-21T18:00:00Z").value();

void cron_parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(cron::schedule::parse(crons[static_cast<std::size_t>(state.range(0))], "uid"));
  state.SetLabel(crons[static_cast<std::size_t>(state.range(0))]);
}
BENCHMARK(cron_parse)->DenseRange(0, 3);

void cron_next(benchmark::State& state) {
  auto schedule = cron::schedule::parse(crons[static_cast<std::size_t>(state.range(0))], "uid").value();
  auto berlin = zone::find("Europe/Berlin").value();
  for (auto _ : state) benchmark::DoNotOptimize(schedule.next(now, berlin));
  state.SetLabel(crons[static_cast<std::size_t>(state.range(0))]);
}
BENCHMARK(cron_next)->DenseRange(0, 3);

/// A minutely schedule that was down for a year.
void cron_count_a_year_of_minutes(benchmark::State& state) {
  auto schedule = cron::schedule::parse("* * * * *", "uid").value();
  auto berlin = zone::find("Europe/Berlin").value();
  for (auto _ : state) benchmark::DoNotOptimize(schedule.count(now - std::chrono::days(365), now, berlin));
}
BENCHMARK(cron_count_a_year_of_minutes);

void run_id_digest(benchmark::State& state) {
  for (auto _ : state)
    benchmark::DoNotOptimize(hash::digest_hex({"slot", "9b1c6b0e-5d0a-4a57-9a3f-0d8f2a7f6f10", "2026-11-21T06:00:00Z", "/pvc/data"}, 16));
}
BENCHMARK(run_id_digest);

}  // namespace
