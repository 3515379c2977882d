#include "services/mover/shell/left_out.hpp"

#include <boost/asio.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "services/mover/core/policy.hpp"
#include "services/mover/shell/walk.hpp"

namespace kopiur::mover {

namespace {

namespace fs = std::filesystem;

bool is_file(fs::path const& path) {
  std::error_code none;
  return fs::symlink_status(path, none).type() == fs::file_type::regular;
}

/// A model of the source for evaluating kopia's ignore rules: empty files in the folders that lead to them.
class model {
 public:
  model(fs::path root, proto::snapshot_work const& task) : root_(std::move(root)), task_(task) {
    fs::create_directories(root_);
    std::ofstream rules(root_ / ignore_file);
    for (auto& each : task.policy.ignore_paths) rules << each << '\n';
    rules << text_of(fs::path(task.path) / ignore_file);
  }
  ~model() {
    std::error_code none;
    fs::remove_all(root_, none);
  }
  model(model const&) = delete;

  void add(fs::path const& path) {
    fs::path above;
    for (auto& part : path.parent_path()) {
      above /= part;
      if (!made_.insert(above).second) continue;
      fs::create_directory(root_ / above);
      copy(above / ignore_file);
      if (task_.policy.ignore_cache_dirs) copy(above / cache_tag);
    }
    std::error_code none;
    if (fs::symlink_status(fs::path(task_.path) / path, none).type() == fs::file_type::directory)
      fs::create_directory(root_ / path);
    else
      std::ofstream(root_ / path);
  }

 private:
  static std::string text_of(fs::path const& path) {
    constexpr std::uintmax_t most = 64 << 10;
    std::error_code none;
    if (!is_file(path) || fs::file_size(path, none) > most) return {};
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void copy(fs::path const& relative) {
    auto from = fs::path(task_.path) / relative;
    if (is_file(from)) std::ofstream(root_ / relative, std::ios::binary) << text_of(from);
  }

  fs::path root_;
  proto::snapshot_work const& task_;
  std::set<fs::path> made_;
};

/// True when only the model's own rules can exclude something: other clients that write policies into this repository have no influence.
awaitable<bool> only_ours(session& run, std::string folder) {
  auto& access = *run.work.repository;
  auto policy = co_await show_policy(run, source_text({access.username, access.hostname, std::move(folder)}));
  auto* ignored = policy.at("files.ignore");
  bool none = !ignored || !ignored->as_array() || ignored->as_array()->empty();
  co_return none && !policy.at("files.maxFileSize") && !policy.at("files.oneFileSystem");
}

/// `kopia snapshot estimate` lists what it would exclude: ` - a/b - 0 B` for a file, ` - a` for a folder.
bool is_named(std::set<std::string> const& lines, std::string path) {
  if (lines.contains(" - " + path + " - 0 B")) return true;
  for (; !path.empty(); path.resize(path.contains('/') ? path.rfind('/') : 0))
    if (lines.contains(" - " + path)) return true;
  return false;
}

}  // namespace

awaitable<odd_names> find_odd_names(session& run, std::string folder) {
  constexpr std::size_t at_a_time = 4'000;
  auto data = run.from.variables.find("KOPIUR_DATA");
  name_walk walk(folder, {.unique_ID = run.work.repository->unique_ID.value_or(""),
                          .data_folder = data != run.from.variables.end() ? data->second : ""});
  auto loop = co_await asio::this_coro::executor;
  while (walk.go_on(at_a_time)) {
    run.out.progress({.files_processed = walk.entries(), .phase = "scanning"});
    co_await asio::post(loop, asio::use_awaitable);
    if (run.program.cancelled()) throw failed_run(proto::kopia_failure::Cancelled);
  }
  co_return walk.found();
}

awaitable<void> forget_ignored(session& run, proto::snapshot_work const& task, odd_names& odd) {
  auto lost = odd.lost();
  if (lost.empty()) co_return;
  auto folder = run.paths.private_folder + "/names";
  model model(folder, task);
  for (auto& each : lost) model.add(each);
  if (!co_await only_ours(run, folder)) co_return;
  auto told = co_await run.program.run(estimate_command(folder, lost.size()));
  if (!told.ending.success()) co_return;
  std::set<std::string> lines;
  std::istringstream said(told.out);
  for (std::string line; std::getline(said, line);) lines.insert(line);
  for (auto& each : lost)
    if (is_named(lines, each)) odd.remove(each);
}

}  // namespace kopiur::mover
