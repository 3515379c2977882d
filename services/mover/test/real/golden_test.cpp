#include <ranges>
#include <set>
#include <span>

#include "common/json/value.hpp"
#include "proto/kopiur/kopia_names.hpp"
#include "services/mover/core/commands.hpp"
#include "services/mover/test/real/lab.hpp"
#include "services/mover/test/unit/golden.hpp"

namespace kopiur::mover::test {
namespace {

/// `path:type` of every value in a document; the items of an array count as one.
void add_shape(json::value const& value, std::string const& path, std::set<std::string>& target) {
  target.insert(path + ":" + std::to_string(value.data().index()));
  if (auto* members = value.as_object())
    for (auto& [name, each] : *members) add_shape(each, path + "." + name, target);
  if (auto* items = value.as_array())
    for (auto& each : *items) add_shape(each, path + "[]", target);
}
std::set<std::string> shape_of(std::string const& text) {
  std::set<std::string> shape;
  auto read = json::parse(text);
  EXPECT_TRUE(read) << text;
  if (read) add_shape(*read, "", shape);
  return shape;
}

/// The golden files that the unit tests read match the output of the installed kopia.
class Golden : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", "world!!");
    fs::create_symlink("a.txt", source_ / "link");
    create_repository();
  }
  /// Stdout of one of the mover's kopia commands.
  std::string said(arguments command) {
    std::erase(command, "--no-auto-maintenance");  // kopia() adds it
    auto done = kopia(std::move(command));
    EXPECT_EQ(done.status, 0) << done.err;
    return done.out;
  }
  proto::snapshot_work work() {
    return {.path = source_, .source = {"app", "prod", "/data"}, .tags = {{"team", "a:b"}}, .description = "a \"quoted\" one"};
  }
};

TEST_F(Golden, SaysTheSameVersion) {
  auto done = run_program({kopia_, "--version"}, {{"HOME", root_}});
  auto number = [](std::string const& text) { return text.substr(0, text.find(" build")); };
  EXPECT_EQ(number(done.out + done.err), number(golden("version.txt")));
}

/// Trials, T10: for an unknown compressor kopia stores uncompressed without an error, so the schema accepts only the names that kopia's
/// flags list.
TEST_F(Golden, TakesTheSameNamesOfAlgorithms) {
  auto taken = [&](std::vector<std::string> command) {
    auto said = kopia(std::move(command)).err;
    auto from = said.find("enum value must be one of "), end = said.find(", got '");
    EXPECT_TRUE(from < end && end != said.npos) << said;
    if (end == said.npos) return std::set<std::string>{};
    std::set<std::string> names;
    for (auto each : said.substr(from + 26, end - from - 26) | std::views::split(',')) names.emplace(each.begin(), each.end());
    names.erase("inherit");
    return names;
  };
  auto ours = [](std::span<std::string_view const> names) { return std::set<std::string>(names.begin(), names.end()); };
  namespace known = proto::kopia_names;
  EXPECT_EQ(taken({"policy", "set", "--global", "--compression=?"}), ours(known::compressors));
  EXPECT_EQ(taken({"policy", "set", "--global", "--splitter=?"}), ours(known::splitters));
  auto created_with = [&](std::string flag) {
    return taken({"repository", "create", "filesystem", "--path=" + (root_ / "other").string(), flag + "=?"});
  };
  EXPECT_EQ(created_with("--object-splitter"), ours(known::splitters));
  EXPECT_EQ(created_with("--block-hash"), ours(known::hashes));
  EXPECT_EQ(created_with("--encryption"), ours(known::encryptions));
  EXPECT_EQ(created_with("--ecc"), ours(known::error_corrections));
}

TEST_F(Golden, PrintsASnapshotAndItsListAlike) {
  EXPECT_EQ(shape_of(said(snapshot_command(work(), "run-1"))), shape_of(golden("snapshot-create.json")));
  EXPECT_EQ(*json::parse(said(list_command("nobody"))), *json::parse(golden("snapshot-list-empty.json")));
  auto known = shape_of(golden("snapshot-list.json"));
  for (auto& each : shape_of(said(list_command()))) EXPECT_TRUE(known.contains(each)) << each;
}

TEST_F(Golden, DescribesARepositoryAlike) {
  auto both = [](std::string const& real, char const* file) { EXPECT_EQ(shape_of(real), shape_of(golden(file))) << file; };
  both(said(status_command()), "repository-status.json");
  EXPECT_EQ(*json::parse(said(show_policy_command({}))), *json::parse(golden("policy-neutral.json"))) << "what the mover wrote";
  both(said(maintenance_info_command()), "maintenance-before.json");
}

TEST_F(Golden, AFreshPolicyIsWhatTheMoverTakesItFor) {
  auto fresh = root_ / "fresh";
  fs::create_directory(fresh);
  variables const environment{{"KOPIA_PASSWORD", "x"}, {"HOME", root_}, {"KOPIA_CONFIG_PATH", root_ / "fresh.config"}};
  ASSERT_EQ(run_program({kopia_, "repository", "create", "filesystem", "--path=" + fresh.string()}, environment).status, 0);
  auto policy = run_program({kopia_, "policy", "show", "--global", "--json"}, environment);
  EXPECT_EQ(*json::parse(policy.out), *json::parse(golden("policy-fresh.json")));
}

}  // namespace
}  // namespace kopiur::mover::test
