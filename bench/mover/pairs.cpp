#include <sys/resource.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "bench/figures.hpp"
#include "bench/mover/bench.hpp"
#include "common/app/async.hpp"
#include "common/json/codec.hpp"
#include "common/process/child.hpp"
#include "common/testing/folder.hpp"
#include "proto/kopiur/kopia_task.hpp"

namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace kopiur;

struct timed {
  double seconds = 0;
  double cpu = 0;  ///< seconds, of all processes that it started
  int status = -1;
  long peak_KiB = 0;
  std::string err;
};

asio::awaitable<void> watch(process::child& child, long& peak) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (;;) {
    peak = std::max(peak, peak_resident_KiB(child.id()));
    timer.expires_after(std::chrono::milliseconds(20));
    co_await timer.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<void> to_the_end(process::child& child, timed& result) {
  app::nursery readers(co_await asio::this_coro::executor);
  readers.spawn(process::drain(child.out(), [](std::string_view) {}));
  readers.spawn(process::drain(child.err(), [&](std::string_view bytes) { result.err += bytes; }));
  co_await readers.join();
  result.status = (co_await child.wait()).code;
}

timed run(std::vector<std::string> arguments, std::vector<std::string> const& environment) {
  asio::io_context loop(1);
  timed result;
  auto begin = std::chrono::steady_clock::now();
  process::child child(loop.get_executor(), {.arguments = std::move(arguments), .environment = environment});
  auto both = [](process::child& child, timed& result) -> asio::awaitable<void> {
    co_await app::first_of(to_the_end(child, result), watch(child, result.peak_KiB));
  };
  asio::co_spawn(loop, both(child, result), [&](std::exception_ptr) { loop.stop(); });
  loop.run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (result.status != 0) std::fprintf(stderr, "%s\n", result.err.c_str());
  return result;
}

std::string text_of(fs::path const& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class workshop {
 public:
  workshop() {
    auto* named = std::getenv("KOPIUR_KOPIA");
    kopia_ = process::find_program(named ? named : "kopia", std::getenv("PATH")).value_or("kopia");
    mover_ = fs::read_symlink("/proc/self/exe").parent_path() / "kopiur-mover";
    environment_ = {"KOPIA_PASSWORD=bench", "KOPIUR_KOPIA=" + kopia_, "PATH=" + std::string(std::getenv("PATH")),
                    "HOME=" + root_.path().string(), "KOPIA_CHECK_FOR_UPDATES=false"};
  }

  void make_tree(long files, long bytes) {
    std::mt19937_64 random(42);
    std::string content(static_cast<std::size_t>(bytes), '\0');
    for (long i = 0; i < files; ++i) {
      for (auto& c : content) c = static_cast<char>(random());
      auto folder = root_ / "tree" / std::to_string(i / 1000);
      fs::create_directories(folder);
      std::ofstream(folder / std::to_string(i), std::ios::binary) << content;
    }
  }
  void make_repository() {
    fs::create_directory(root_ / "template");
    work_.run = "bench";
    access_ = {.backend = proto::filesystem_backend{.path = root_ / "template"}, .username = "kopiur", .hostname = "bench"};
    work_.repository = access_;
    work_.task = proto::connect_work{proto::create_behavior{.enabled = true}};
    run_mover();
    access_.unique_ID = result_.unique_ID;
    work_.repository = access_;
    // The source's first snapshot also writes its policy, once; the later ones are compared.
    fs::create_directory(root_ / "empty");
    work_.task = proto::snapshot_work{.path = root_ / "empty", .source = {"app", "prod", "/data"}};
    run_mover();
  }
  timed bare() {
    renew();
    auto environment = environment_;
    environment.push_back("KOPIA_CONFIG_PATH=" + (root_ / "bare/repository.config").string());
    auto begin = std::chrono::steady_clock::now();
    run({kopia_, "repository", "connect", "filesystem", "--path=" + (root_ / "repository").string(), "--no-persist-credentials",
         "--cache-directory=" + (root_ / "bare/cache").string()},
        environment);
    auto result = run({kopia_, "snapshot", "create", root_ / "tree", "--json", "--no-auto-maintenance", "--override-source=app@prod:/data"},
                      environment);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return result;
  }
  timed ours() {
    renew();
    access_.backend = proto::filesystem_backend{.path = root_ / "repository"};
    access_.cache_directory = root_ / "cache";
    work_.repository = access_;
    work_.task = proto::snapshot_work{.path = root_ / "tree", .source = {"app", "prod", "/data"}};
    return run_mover();
  }
  int opens() const { return result_.opens; }

 private:
  void renew() {
    for (auto* each : {"repository", "bare", "cache"}) fs::remove_all(root_ / each);
    fs::copy(root_ / "template", root_ / "repository", fs::copy_options::recursive);
    ::sync();
  }
  timed run_mover() {
    std::ofstream(root_ / "work.json") << json::write(work_);
    auto result = run({mover_, root_ / "work.json", "--result", root_ / "result.json"}, environment_);
    if (auto read = json::read<proto::kopia_result>(text_of(root_ / "result.json"))) result_ = *read;
    return result;
  }

  testing::folder root_;
  std::string kopia_, mover_;
  std::vector<std::string> environment_;
  proto::kopia_task work_;
  proto::repository_access access_;  // of work_
  proto::kopia_result result_;
};

double cpu_of_children() {
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  auto seconds = [](timeval const& limit) { return static_cast<double>(limit.tv_sec) + static_cast<double>(limit.tv_usec) / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

template <class Act>
timed with_cpu(Act act) {
  auto before = cpu_of_children();
  timed result = act();
  result.cpu = cpu_of_children() - before;
  return result;
}

double median(std::vector<double> values) { return bench::quantile(values, 0.5); }

// The bars. Times count only when bare kopia takes so long that its constant part does not decide.
constexpr double long_enough = 60, ratio_bar = 1.02;
constexpr long peak_bar_KiB = 15 * 1024;
constexpr int opens_bar = 5;

/// Prints each bar that was missed; 0 when none was.
int judged(double bare_seconds, double ratio, long peak, int opens) {
  int missed = 0;
  auto miss = [&](char const* what) { std::printf("missed: %s\n", what), missed = 1; };
  if (bare_seconds < long_enough) std::printf("no verdict on the time: bare kopia took less than 60 s, give it more files\n");
  if (bare_seconds >= long_enough && ratio > ratio_bar) miss("1.02 times bare kopia's time");
  if (peak > peak_bar_KiB) miss("15 MiB of the mover's own");
  if (opens > opens_bar) miss("five openings of the repository");
  return missed;
}

long number(numbers const& numbers, std::string const& name, long otherwise) {
  return numbers.contains(name) ? numbers.at(name) : otherwise;
}

}  // namespace

int bench_pairs(numbers const& numbers) {
  workshop shop;
  shop.make_tree(number(numbers, "files", 2000), number(numbers, "bytes", 20'000));
  shop.make_repository();
  std::vector<double> ratios, differences, cpu_ratios, bare_seconds;
  long peak = 0;
  for (long i = 0; i < number(numbers, "pairs", 3); ++i) {
    bool first = i % 2 == 0;
    auto one = with_cpu([&] { return first ? shop.bare() : shop.ours(); });
    auto other = with_cpu([&] { return first ? shop.ours() : shop.bare(); });
    auto const& bare = first ? one : other;
    auto const& ours = first ? other : one;
    if (bare.status != 0 || ours.status != 0) return 1;
    ratios.push_back(ours.seconds / bare.seconds);
    bare_seconds.push_back(bare.seconds);
    differences.push_back(ours.seconds - bare.seconds);
    cpu_ratios.push_back(ours.cpu / bare.cpu);
    peak = std::max(peak, ours.peak_KiB);
    std::printf("pair %ld: bare %.2f s (CPU %.1f s), mover %.2f s (CPU %.1f s), ratio %.3f, of CPU %.3f\n", i + 1, bare.seconds, bare.cpu,
                ours.seconds, ours.cpu, ratios.back(), cpu_ratios.back());
    std::fflush(stdout);
  }
  std::printf("median ratio %.3f, of CPU %.3f, median difference %.2f s, mover's own peak %.1f MiB, opens %d\n", median(ratios),
              median(cpu_ratios), median(differences), static_cast<double>(peak) / 1024, shop.opens());
  return judged(median(bare_seconds), median(ratios), peak, shop.opens());
}
