#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/bus/bench.hpp"
#include "common/testing/nats_server.hpp"

/// Ratios of our port to nats.c's own calls, in pairs: each round does the work once with each, on one server, in alternating order. Each
/// measurement runs in a separate process, since nats.c's threads are process-wide. The median ratio of the rounds counts. Build type
/// Release only.
namespace kopiur::bench {
namespace {

struct bar {
  char const* name;
  char const* ceiling;
  double wanted;
  job what;
  double (*ours)(job const&);
  double (*theirs)(job const&);
  int their_window;
  bool filled = false;  ///< the work needs a filled stream
};
struct side {
  double speed = 0;  ///< messages per second
  double cpu = 0;    ///< microseconds of client CPU per message
};
struct round {
  side ours, theirs;
  double ratio() const { return ours.speed / theirs.speed; }
};

std::vector<bar> bars() {
  return {{"publish_1", "js_Publish", 1.4, {.messages = 5'000, .in_flight = 1}, publish_ours, publish_theirs_one_by_one, 1},
          {"publish_256",
           "js_PublishAsync, window 4096",
           1.1,
           {.messages = 100'000, .in_flight = 256},
           publish_ours,
           publish_theirs_async,
           4096},
          {"pull_ack_32", "natsSubscription_Fetch", 1.2, {.messages = 50'000, .in_flight = 32}, pull_ours, pull_theirs, 32, true},
          {"pull_ack_1000", "natsSubscription_Fetch", 1.2, {.messages = 100'000, .in_flight = 1000}, pull_ours, pull_theirs, 1000, true}};
}

/// In the child: one measurement, printed as one line.
void measure_here(bar const& one, bool ours, std::string url, std::string stream) {
  auto what = one.what;
  what.url = std::move(url);
  what.stream = std::move(stream);
  if (!ours) what.in_flight = one.their_window;
  auto before = std::clock();
  auto speed = ours ? one.ours(what) : one.theirs(what);
  std::printf("%f %f\n", speed, 1e6 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC / what.messages);
}

side measured(std::string const& program, bar const& one, bool ours, std::string const& url, std::string const& stream) {
  auto command = program + " measure " + one.name + (ours ? " ours " : " theirs ") + url + " " + stream;
  std::unique_ptr<FILE, int (*)(FILE*)> child(::popen(command.c_str(), "r"), ::pclose);
  side seen;
  if (!child || std::fscanf(child.get(), "%lf %lf", &seen.speed, &seen.cpu) != 2)
    throw std::runtime_error("no figure from `" + command + "`");
  return seen;
}

/// One measurement on a fresh stream, which is deleted afterwards so that the server's store stays small.
side alone(std::string const& program, bar const& one, bool ours, std::string const& url) {
  static int number = 0;
  auto stream = "b" + std::to_string(++number);
  make_stream(url, stream);
  if (one.filled) {
    publish_theirs_async({url, stream, one.what.messages, 4096});
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the server is still writing
  }
  auto seen = measured(program, one, ours, url, stream);
  drop_stream(url, stream);
  return seen;
}

/// Prints one line of JSON; true when the bar is met.
bool report(bar const& one, std::vector<round> rounds) {
  std::ranges::sort(rounds, {}, &round::ratio);
  auto middle = rounds[rounds.size() / 2];
  bool met = middle.ratio() >= one.wanted;
  std::printf(R"({"bench":"%s","ceiling":"%s","ours_per_s":%.0f,"theirs_per_s":%.0f,"ratio":%.2f,"lowest":%.2f,"highest":%.2f,"bar":%.2f,)"
              R"("met":%s,"ours_cpu_us":%.1f,"theirs_cpu_us":%.1f})"
              "\n",
              one.name, one.ceiling, middle.ours.speed, middle.theirs.speed, middle.ratio(), rounds.front().ratio(), rounds.back().ratio(),
              one.wanted, met ? "true" : "false", middle.ours.cpu, middle.theirs.cpu);
  std::fflush(stdout);
  return met;
}

bool run(std::string const& program, bar const& one, int rounds) {
  testing::nats_server server;
  std::vector<round> seen(static_cast<std::size_t>(rounds));
  bool ours_first = true;
  for (auto& each : seen) {
    if (ours_first) each.ours = alone(program, one, true, server.url());
    each.theirs = alone(program, one, false, server.url());
    if (!ours_first) each.ours = alone(program, one, true, server.url());
    ours_first = !ours_first;
  }
  return report(one, std::move(seen));
}

int run_all(std::string const& program, int rounds, std::string_view only) {
  bool all = true;
  for (auto const& one : bars())
    if (only.empty() || only == one.name) all = run(program, one, rounds) && all;
  return all ? 0 : 1;
}

int act(std::vector<std::string> const& words) {
  if (words.size() == 6 && words[1] == "measure") {
    for (auto const& one : bars())
      if (words[2] == one.name) measure_here(one, words[3] == "ours", words[4], words[5]);
    return 0;
  }
  return run_all(words[0], words.size() > 1 ? std::max(1, std::atoi(words[1].c_str())) : 7, words.size() > 2 ? words[2] : "");
}

}  // namespace
}  // namespace kopiur::bench

/// `bus_bench [rounds] [name]`: 7 rounds of each bench by default. Exits with 1 when a bar is missed, 2 when it could not measure.
int main(int count, char** words) {
  try {
    return kopiur::bench::act({words, words + count});
  } catch (std::exception const& failed) {
    std::fprintf(stderr, "bus_bench cannot measure: %s\n", failed.what());
    return 2;
  }
}
