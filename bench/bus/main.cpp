#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "bench/bus/bench.hpp"
#include "common/testing/nats_server.hpp"

/// Ratios of our port to nats.c's own calls, each pair in one run on one server, best of an odd number of rounds by the median ratio. Ends
/// with 1 when a bar is missed. Build type Release only.
namespace kopiur::bench {
namespace {

struct bar {
  char const* name;
  char const* ceiling;
  double wanted;
  std::function<double(std::string const& url, std::string const& stream)> ours, theirs;
};
struct round {
  double ours, theirs;
  double ratio() const { return ours / theirs; }
};

double fresh(std::string const& url, std::string const& stream, std::function<double(std::string const&, std::string const&)> const& run) {
  make_stream(url, stream);
  return run(url, stream);
}

round measure(std::string const& url, bar const& one, int number) {
  auto stream = "b" + std::to_string(number);
  return {fresh(url, stream + "o", one.ours), fresh(url, stream + "t", one.theirs)};
}

double filled_then(job what, double (*pull)(job const&)) {
  auto fill = what;
  fill.in_flight = 4096;
  publish_theirs_async(fill);
  return pull(what);
}

std::vector<bar> bars() {
  return {
      {"publish with ack, 1 in flight", "js_Publish", 1.4, [](auto& url, auto& stream) { return publish_ours({url, stream, 10'000, 1}); },
       [](auto& url, auto& stream) { return publish_theirs_one_by_one({url, stream, 10'000}); }},
      {"publish with ack, 256 in flight", "js_PublishAsync, window 4096", 1.1,
       [](auto& url, auto& stream) { return publish_ours({url, stream, 200'000, 256}); },
       [](auto& url, auto& stream) { return publish_theirs_async({url, stream, 200'000, 4096}); }},
      {"pull and ack, window 1000", "natsSubscription_Fetch", 1.2,
       [](auto& url, auto& stream) { return filled_then({url, stream, 200'000, 1000}, pull_ours); },
       [](auto& url, auto& stream) { return filled_then({url, stream, 200'000, 1000}, pull_theirs); }}};
}

/// One line of JSON; true when the bar is met.
bool report(bar const& one, std::vector<round> rounds) {
  std::ranges::sort(rounds, {}, &round::ratio);
  auto middle = rounds[rounds.size() / 2];
  bool met = middle.ratio() >= one.wanted;
  std::printf(
      R"({"bench":"%s","ceiling":"%s","ours_per_s":%.0f,"theirs_per_s":%.0f,"ratio":%.2f,"lowest":%.2f,"highest":%.2f,"bar":%.2f,"met":%s})"
      "\n",
      one.name, one.ceiling, middle.ours, middle.theirs, middle.ratio(), rounds.front().ratio(), rounds.back().ratio(), one.wanted,
      met ? "true" : "false");
  std::fflush(stdout);
  return met;
}

int run(int rounds) {
  bool all = true;
  int number = 0;
  for (auto const& one : bars()) {
    testing::nats_server server;
    std::vector<round> seen;
    for (int i = 0; i < rounds; ++i) seen.push_back(measure(server.url(), one, ++number));
    all = report(one, std::move(seen)) && all;
  }
  return all ? 0 : 1;
}

}  // namespace
}  // namespace kopiur::bench

/// `bus_bench [rounds]`, 3 unless told.
int main(int count, char** words) { return kopiur::bench::run(count > 1 ? std::max(1, std::atoi(words[1])) : 3); }
