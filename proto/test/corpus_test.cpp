#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "common/config/manifest.hpp"
#include "common/json/codec.hpp"
#include "proto/kinds.hpp"
#include "proto/schema/node.hpp"
#include "proto/validate.hpp"

/// Tests over the manifests next to this file. Each file in `bad/` must be refused for exactly the reason in its first line; each in
/// `good/` must pass and survive the round trip through the typed structs.
namespace kopiur::proto {
namespace {

namespace fs = std::filesystem;
using json::value;

std::vector<fs::path> files_of(std::string_view folder) {
  std::vector<fs::path> out;
  for (auto& each : fs::directory_iterator(fs::path(KOPIUR_SOURCE_DIR) / "proto/test" / folder))
    if (each.path().extension() == ".yaml") out.push_back(each.path());
  std::ranges::sort(out);
  return out;
}

struct refusal {
  std::string path, text;
};

/// The finding for the file, from the reader or the validator.
std::vector<refusal> refusals(fs::path const& file) {
  auto read = config::read_manifest_file(file);
  if (!read) return {{read.error().path, read.error().text()}};
  std::vector<refusal> out;
  for (auto& manifest : *read)
    for (auto& found : validate(manifest.content.text("kind"), manifest.content))
      out.push_back({found.path, manifest.blame(found.path, found.message + " " + found.hint).text()});
  return out;
}

TEST(BadManifests, AreRefusedAtTheirFieldForTheirReason) {
  auto files = files_of("bad");
  EXPECT_GE(files.size(), 90u);
  for (auto& file : files) {
    std::string first;
    std::getline(std::ifstream(file) >> std::ws, first);
    constexpr std::string_view lead = "# refused: ";
    auto bar = first.find(" | ");
    ASSERT_TRUE(first.starts_with(lead) && bar != first.npos) << file << " must begin with `# refused: PATH | FRAGMENT`";
    auto path = first.substr(lead.size(), bar - lead.size()), fragment = first.substr(bar + 3);
    auto found = refusals(file);
    std::string all;
    for (auto& each : found) all += each.text + "\n";
    ASSERT_EQ(found.size(), 1u) << file << ":\n" << all;
    EXPECT_EQ(found[0].path, path) << all;
    EXPECT_NE(found[0].text.find(fragment), std::string::npos) << "wanted: " << fragment << "\nis: " << all;
    EXPECT_NE(found[0].text.find(".yaml:"), std::string::npos) << all;
  }
}

TEST(BadManifests, CoverEveryKind) {
  for (auto& kind : schema::kinds()) {
    auto prefix = std::string(kind.info.singular) + "-";
    EXPECT_TRUE(std::ranges::any_of(files_of("bad"), [&](auto& file) { return file.filename().string().starts_with(prefix); }))
        << kind.info.kind;
  }
}

TEST(BadManifests, CoverEveryRule) {
  std::set<std::string> said;
  for (auto& file : files_of("bad"))
    for (auto& each : refusals(file)) said.insert(each.text);
  auto look = [&](auto& self, schema::node const& node) -> void {
    for (auto& rule : node.rules)
      if (rule.holds) {
        EXPECT_TRUE(std::ranges::any_of(said, [&](auto& text) { return text.find(rule.message) != text.npos; }))
            << "no bad manifest breaks: " << rule.message;
      }
    for (auto& [name, child] : node.properties) self(self, child);
    for (auto& item : node.item) self(self, item);
  };
  for (auto& kind : schema::kinds()) look(look, kind.root);
}

/// Empty lists and objects have no meaning in the structs; a backend's `kind` only repeats which member is given.
value without_silence(value v) {
  if (auto* members = v.as_object()) {
    for (auto& each : *members) each.second = without_silence(each.second);
    std::erase_if(*members, [](auto& each) {
      return (each.second.as_object() && each.second.as_object()->empty() && each.first != "selector") ||
             (each.second.as_array() && each.second.as_array()->empty());
    });
  } else if (auto* items = v.as_array()) {
    for (auto& each : *items) each = without_silence(each);
  }
  return v;
}

template <class Kind>
void comes_through(value const& content, std::string const& where) {
  auto typed = json::decode<Kind>(content);
  ASSERT_TRUE(typed) << where << typed.error().text();
  auto before = without_silence(with_defaults(Kind::info.kind, content));
  if (auto* backend = before.find("spec") ? before.find("spec")->find("backend") : nullptr) backend->erase("kind");
  auto after = without_silence(with_defaults(Kind::info.kind, json::encode(*typed)));
  EXPECT_TRUE(before == after) << where << "\nbefore: " << json::pretty(before) << "\nafter: " << json::pretty(after);
}

TEST(GoodManifests, PassAndComeThroughTheStructsWhole) {
  for (auto& file : files_of("good")) {
    auto read = config::read_manifest_file(file);
    ASSERT_TRUE(read) << read.error().text();
    for (auto& manifest : *read) {
      auto where = file.filename().string() + "#" + std::to_string(manifest.document) + " ";
      for (auto& found : validate(manifest.content.text("kind"), manifest.content)) ADD_FAILURE() << where << found.text();
      boost::mp11::mp_for_each<boost::mp11::mp_transform<std::type_identity, own_kinds>>([&](auto id) {
        using kind = typename decltype(id)::type;
        if (manifest.content.text("kind") == kind::info.kind) comes_through<kind>(manifest.content, where);
      });
    }
  }
}

/// The examples that users start from: `examples/` and its subdirectories.
TEST(Examples, PassTheValidator) {
  int checked = 0;
  for (auto& each : fs::recursive_directory_iterator(fs::path(KOPIUR_SOURCE_DIR) / "examples")) {
    if (each.path().extension() != ".yaml" || each.path().string().contains("/overlays/")) continue;
    auto read = config::read_manifest_file(each.path());
    ASSERT_TRUE(read) << read.error().text();
    for (auto& manifest : *read) {
      auto* kind = own_kind(manifest.content.text("kind"));
      if (!kind || kind->api_version != manifest.content.text("apiVersion")) continue;  // others are not checked here
      for (auto& found : validate(manifest.content.text("kind"), manifest.content))
        ADD_FAILURE() << manifest.blame(found.path, found.text()).text();
      ++checked;
    }
  }
  EXPECT_GE(checked, 25);
}

void mark(schema::node const& node, value const& v, std::string const& path, std::set<std::string>& seen) {
  for (auto& [name, child] : node.properties)
    if (auto* content = v.find(name)) {
      seen.insert(path + "." + name);
      mark(child, *content, path + "." + name, seen);
    }
  if (auto* items = v.as_array(); items && !node.item.empty())
    for (auto& each : *items) mark(node.item.front(), each, path + "[]", seen);
}
void list(schema::node const& node, std::string const& path, std::vector<std::string>& all) {
  for (auto& [name, child] : node.properties) {
    if (child.description.starts_with("Refused")) continue;  // a bad manifest sets it
    all.push_back(path + "." + name);
    list(child, path + "." + name, all);
  }
  for (auto& item : node.item) list(item, path + "[]", all);
}
/// A field and the struct that contains it: selectors, Secret references and hooks are the same struct everywhere, so one occurrence is
/// enough.
std::string tail(std::string path) {
  if (path.ends_with(".matchExpressions")) return ".matchExpressions";
  for (auto list : {".beforeSnapshot[]", ".afterSnapshot[]"})
    if (auto index = path.find(list); index != path.npos) path = ".hook" + path.substr(index + std::string_view(list).size());
  auto index = path.rfind('.', path.rfind('.') - 1);
  return path.substr(index == path.npos ? 0 : index);
}

TEST(GoodManifests, SetEveryField) {
  std::set<std::string> seen;
  for (auto& file : files_of("good"))
    for (auto& manifest : *config::read_manifest_file(file))
      if (auto* kind = schema::find_kind(manifest.content.text("kind")))
        mark(kind->root, manifest.content, std::string(kind->info.kind), seen);
  std::set<std::string> tails;
  for (auto& each : seen) tails.insert(tail(each));
  std::vector<std::string> all;
  for (auto& kind : schema::kinds()) list(kind.root, std::string(kind.info.kind), all);
  for (auto& each : all)
    EXPECT_TRUE(tails.contains(tail(each)) || each.find("namespaceSelector") != each.npos) << "no good manifest sets " << each;
}

}  // namespace
}  // namespace kopiur::proto
