#include <malloc.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "bench/figures.hpp"
#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/admission/review.hpp"

/// The time of one review beside 10,000 and 50,000 Backups: with five times as many objects at most six times as long, and
/// never a millisecond, which work on each object would take. And the memory of the decoded objects.
namespace kopiur::bench {
namespace {

using steady = std::chrono::steady_clock;
constexpr int rounds = 201;
constexpr double most_ratio = 6, most_microseconds = 1'000;

std::string head_of(char const* kind, std::string const& name) {
  return R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":")" + std::string(kind) + R"(","metadata":{"name":")" + name +
         R"(","namespace":"home","uid":"9b1c6b0e-5d0a-4a57-9a3f-)" + name + R"("},)";
}

json::value object(std::string const& text) { return json::parse(text).value(); }

/// A Backup as the mirror has it; each hundred are of one config.
json::value backup(int number) {
  return object(head_of("Backup", "nightly-" + std::to_string(100'000 + number)) + R"("spec":{"configRef":{"name":"config-)" +
                std::to_string(number / 100) +
                R"("},"deletionPolicy":"Delete"},"status":{"phase":"Succeeded","origin":"scheduled","snapshot":{"kopiaSnapshotID":)"
                R"("k0fa21fffa417dc42c9a681fc23224c96","identity":{"username":"app","hostname":"home","sourcePath":"/pvc/data"}},)"
                R"("timing":{"startedAt":"2026-11-21T18:48:33Z","completedAt":"2026-11-21T18:49:33Z","durationSeconds":60}}})");
}

std::string config(std::string const& name) {
  return head_of("BackupConfig", name) + R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":")" + name + R"("}}]}})";
}

gateway::decoded_objects filled(int backups) {
  gateway::decoded_objects all;
  all.take(object(head_of("Repository", "nas") +
                  R"("spec":{"backend":{"filesystem":{"path":"/srv"}},"encryption":{"passwordSecretRef":{"name":"p"}}}})"));
  for (int i = 0; i < 100; ++i) all.take(object(config("config-" + std::to_string(i))));
  for (int i = 0; i < backups; ++i) all.take(backup(i));
  return all;
}

double heap_mib() { return static_cast<double>(mallinfo2().uordblks) / (1024 * 1024); }

struct figure {
  double microseconds = 0, mib = 0;
};

figure measured(int backups) {
  auto before = heap_mib();
  auto all = filled(backups);
  figure seen{.mib = heap_mib() - before};
  auto review = object(R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE",)"
                       R"("namespace":"home","object":)" +
                       config("new") + "}}");
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    auto begin = steady::now();
    auto said = gateway::kubernetes::reviewed(review, all.all());
    times.push_back(1000 * milliseconds(steady::now() - begin));
    auto* allowed = said ? said->at("response.allowed") : nullptr;
    if (!allowed || !*allowed->as_bool()) throw std::runtime_error("the review was refused: " + (said ? json::dump(*said) : "no answer"));
  }
  seen.microseconds = quantile(times, 0.5);
  return seen;
}

/// Prints one line of JSON; true when the bar is met.
bool run() {
  auto few = measured(10'000), many = measured(50'000);
  double ratio = many.microseconds / few.microseconds;
  bool met = ratio <= most_ratio && many.microseconds <= most_microseconds;
  std::printf(
      R"({"bench":"review","us_beside_10000":%.1f,"us_beside_50000":%.1f,"ratio":%.2f,"bar":%.0f,"bar_us":%.0f,"met":%s,"mib_10000":%.1f,)"
      R"("mib_50000":%.1f})"
      "\n",
      few.microseconds, many.microseconds, ratio, most_ratio, most_microseconds, met ? "true" : "false", few.mib, many.mib);
  return met;
}

}  // namespace
}  // namespace kopiur::bench

/// Exits with 1 when the bar is missed, 2 when it could not measure.
int main() {
  try {
    return kopiur::bench::run() ? 0 : 1;
  } catch (std::exception const& failed) {
    std::fprintf(stderr, "admission_bench cannot measure: %s\n", failed.what());
    return 2;
  }
}
