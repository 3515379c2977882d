#include "services/mover/test/real/lab.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "common/app/async.hpp"
#include "common/json/codec.hpp"
#include "common/process/child.hpp"
#include "common/testing/run.hpp"

namespace kopiur::mover::test {

namespace asio = boost::asio;

namespace {

std::string own_variable(char const* name) {
  auto* value = std::getenv(name);
  return value ? value : "";
}

asio::awaitable<void> follow(asio::io_context& loop, process::command command, printed& result, watcher watch) {
  process::child child(loop.get_executor(), command);
  app::nursery readers(loop.get_executor());
  readers.spawn(process::drain(child.out(), [&](std::string_view bytes) {
    result.out += bytes;
    if (watch) watch(child.id(), result.out);
  }));
  readers.spawn(process::drain(child.err(), [&](std::string_view bytes) { result.err += bytes; }));
  co_await readers.join();
  auto end = co_await child.wait();
  result.status = end.signal ? 128 + end.signal : end.code;
}

void read_lines(ended& what) {
  std::istringstream lines(what.out);
  for (std::string line; std::getline(lines, line);)
    if (auto read = json::read<proto::output_line>(line))
      if (auto* row = std::get_if<proto::snapshot_row>(&*read)) what.rows.push_back(*row);
}

std::string describe(fs::path const& path, bool with_time = true) {
  struct stat facts{};
  ::lstat(path.c_str(), &facts);
  std::ostringstream text;
  text << std::oct << facts.st_mode << std::dec << " " << facts.st_uid << ":" << facts.st_gid << " ";
  if (S_ISLNK(facts.st_mode)) return text.str() + fs::read_symlink(path).string();
  if (with_time) text << facts.st_mtim.tv_sec << "." << facts.st_mtim.tv_nsec << " ";
  return text.str() + (S_ISREG(facts.st_mode) ? read_all(path) : "");
}

}  // namespace

printed run_program(std::vector<std::string> arguments, variables const& environment, watcher watch) {
  process::command command{.arguments = std::move(arguments)};
  for (auto const& [name, value] : environment) command.environment.push_back(name + "=" + value);
  printed result;
  testing::run([&](asio::io_context& loop) { return follow(loop, command, result, watch); });
  return result;
}

std::string required_program(std::string const& variable, std::string const& name) {
  auto named = own_variable(variable.c_str());
  auto found = process::find_program(named.empty() ? name : named, own_variable("PATH"));
  EXPECT_TRUE(found) << "This test needs the real " << name << ": set " << variable << " to its path, or put it on PATH.";
  return found.value_or("/nonexistent/" + name);
}

void write_file(fs::path const& path, std::string const& content) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << content;
}

void write_random(fs::path const& path, std::size_t megabytes) {
  std::ofstream file(path, std::ios::binary);
  std::ifstream random("/dev/urandom", std::ios::binary);
  std::string block(1 << 20, '\0');
  for (std::size_t i = 0; i < megabytes; ++i) {
    random.read(block.data(), 1 << 20);
    file << block;
  }
}

std::string read_all(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::map<std::string, std::string> tree_of(fs::path const& root) {
  std::map<std::string, std::string> tree{{".", describe(root)}};
  for (auto const& each : fs::recursive_directory_iterator(root)) {
    bool holds_something = each.is_directory() && !each.is_symlink() && !fs::is_empty(each.path());
    tree[each.path().lexically_relative(root)] = describe(each.path(), !holds_something);
  }
  return tree;
}

void PrintTo(ended const& what, std::ostream* out) { *out << "status " << what.status << " " << what.result_text << "\n" << what.err; }

lab::lab() {
  kopia_ = required_program("KOPIUR_KOPIA", "kopia");
  mover_ = own_variable("KOPIUR_BIN") + "/kopiur-mover";
  source_ = root_ / "source";
  target_ = root_ / "target";
  for (auto const& folder : {source_, root_ / "repository", root_ / "secrets"}) fs::create_directory(folder);
  access_.backend = proto::filesystem_backend{.path = root_ / "repository"};
  access_.username = "kopiur";
  access_.hostname = "lab";
  access_.cache_directory = root_ / "cache";
  environment_ = {{"KOPIA_PASSWORD", "correct horse battery"}, {"KOPIUR_KOPIA", kopia_}, {"PATH", own_variable("PATH")}};
}

ended lab::run(proto::verb task, run_as run_as) {
  write_file(root_ / "work.json",
             json::write(proto::kopia_task{.run = run_as.run, .attempt = run_as.attempt, .repository = access_, .task = std::move(task)}));
  fs::remove(root_ / "result.json");
  auto environment = environment_;
  for (auto const& [name, value] : run_as.environment) environment[name] = value;
  auto command = wrapper_;
  command.insert(command.end(), {mover_, root_ / "work.json", "--result", root_ / "result.json"});
  auto said = run_program(command, environment, run_as.watch);
  ended what{said.status, {}, read_all(root_ / "result.json"), said.out, said.err, {}};
  EXPECT_LE(what.result_text.size(), 2048U);
  if (auto read = json::read<proto::kopia_result>(what.result_text)) what.result = *read;
  read_lines(what);
  return what;
}

void lab::create_repository() {
  access_.unique_ID.reset();
  auto made = run(proto::connect_work{proto::create_behavior{.enabled = true}});
  ASSERT_EQ(made.status, 0) << ::testing::PrintToString(made);
  access_.unique_ID = made.result.unique_ID;
}

ended lab::snapshot(run_as run_as, proto::snapshot_policy policy) {
  return run(proto::snapshot_work{.path = source_, .source = identity_, .policy = std::move(policy)}, std::move(run_as));
}

printed lab::kopia(std::vector<std::string> arguments) {
  auto environment = environment_;
  environment["KOPIA_CONFIG_PATH"] = root_ / "bare" / "repository.config";
  environment["KOPIA_CACHE_DIRECTORY"] = root_ / "bare" / "cache";
  environment["KOPIA_CHECK_FOR_UPDATES"] = "false";
  environment["HOME"] = root_ / "bare";
  if (!connected_) {
    connected_ = true;
    auto path = std::get<proto::filesystem_backend>(access_.backend).path;
    EXPECT_EQ(kopia({"repository", "connect", "filesystem", "--path=" + path}).status, 0);
  }
  arguments.insert(arguments.begin(), kopia_);
  arguments.push_back("--no-auto-maintenance");
  return run_program(arguments, environment);
}

std::string lab::slow_kopia(int bytes_per_second) {
  auto path = root_ / "slow-kopia";
  write_file(path, "#!/bin/sh\ncase \"$2\" in connect) set -- \"$@\" --max-upload-speed=" + std::to_string(bytes_per_second) +
                       " --max-download-speed=" + std::to_string(bytes_per_second) + ";; esac\nexec " + kopia_ + " \"$@\"\n");
  fs::permissions(path, fs::perms::all);
  return path;
}

std::vector<proto::snapshot_row> lab::list() {
  auto listed = run(proto::list_work{});
  EXPECT_EQ(listed.status, 0) << ::testing::PrintToString(listed);
  return listed.rows;
}

void lab::become_nobody() {
  if (::geteuid() == 0)
    wrapper_ = {"/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--reuid=65534", "--regid=65534", "--clear-groups"};
  for (auto* program : {&kopia_, &mover_}) {  // the originals may be in a folder that another user cannot enter
    auto open_to_all = root_ / fs::path(*program).filename();
    fs::copy_file(*program, open_to_all);
    fs::permissions(open_to_all,
                    fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec);
    *program = open_to_all;
  }
  environment_["KOPIUR_KOPIA"] = kopia_;
  fs::remove_all(root_ / "cache");
  fs::permissions(root_, fs::perms::all);
  for (auto const& each : fs::recursive_directory_iterator(root_ / "repository")) fs::permissions(each, fs::perms::all);
  fs::permissions(root_ / "repository", fs::perms::all);
}

}  // namespace kopiur::mover::test
