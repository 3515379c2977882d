#include "common/metrics/metrics.hpp"

#include <gtest/gtest.h>

namespace kopiur::metrics {
namespace {

TEST(Registry, WritesThePrometheusText) {
  registry all;
  all.add("runs_total", "Runs.", {{"outcome", "Succeeded"}});
  all.add("runs_total", "Runs.", {{"outcome", "Succeeded"}}, 2);
  all.set("size_bytes", "Size of \"it\".", 1.5);
  EXPECT_EQ(all.text(),
            "# HELP runs_total Runs.\n# TYPE runs_total counter\nruns_total{outcome=\"Succeeded\"} 3\n"
            "# HELP size_bytes Size of \"it\".\n# TYPE size_bytes gauge\nsize_bytes 1.5\n");
}

TEST(Registry, ShowsASummaryAsSumAndCount) {
  registry all;
  all.observe("took_seconds", "Time.", 0.5, {{"service", "a"}});
  all.observe("took_seconds", "Time.", 1, {{"service", "a"}});
  EXPECT_EQ(
      all.text(),
      "# HELP took_seconds Time.\n# TYPE took_seconds summary\ntook_seconds_sum{service=\"a\"} 1.5\ntook_seconds_count{service=\"a\"} 2\n");
}

TEST(Registry, ForgetsASeriesWhoseObjectIsGone) {
  registry all;
  all.set("age", "Age.", 1, {{"name", "a\nb"}});
  all.forget("age", {{"name", "a\nb"}});
  EXPECT_EQ(all.text(), "# HELP age Age.\n# TYPE age gauge\n");
}

}  // namespace
}  // namespace kopiur::metrics
