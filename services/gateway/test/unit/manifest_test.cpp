#include <boost/asio.hpp>

#include "common/app/system_clock.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/local/manifest_folder.hpp"
#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway::local {
namespace {

struct folder_fixture {
  test_folder data, files;
  boost::asio::io_context loop;
  app::system_clock time{loop.get_executor()};
  object_store store{data.path(), time};
  int writes = 0;
  std::unique_ptr<manifest_folder> manifests;

  folder_fixture() {
    store.on_change([this](auto const&, auto const&, auto const*) { ++writes; });
    reopen();
  }
  void reopen() {
    manifests =
        std::make_unique<manifest_folder>(files.path(), data / "applied.json", store, [](json::value const& one, json::value const*) {
          return one.at("spec.wrong") ? std::vector<finding>{{"spec.wrong", "is not a field."}} : std::vector<finding>();
        });
  }
  void put(std::string const& name, std::string const& kind, std::string const& object, std::string const& spec) {
    files.write(name, "apiVersion: kopiur.home-operations.com/v1alpha1\nkind: " + kind + "\nmetadata:\n  name: " + object +
                          "\n  namespace: home\nspec: " + spec + "\n");
  }
  json::value const* find(std::string const& kind, std::string const& name) { return store.find({kind, "home", name}); }
  bool missing(std::string const& kind, std::string const& name) {
    return annotation(*find(kind, name), ours("manifest-missing")) == "true";
  }
};

TEST(ManifestFolder, AppliesWhatIsNewOrChangedAndNothingElse) {
  folder_fixture it;
  it.put("a.yaml", "BackupConfig", "photos", "{x: 1}");
  it.manifests->scan();
  ASSERT_NE(it.find("BackupConfig", "photos"), nullptr);
  EXPECT_EQ(it.writes, 1);
  it.manifests->scan();
  it.reopen();
  it.manifests->scan();
  EXPECT_EQ(it.writes, 1) << "an unchanged file writes nothing, also after a restart";
  it.put("a.yaml", "BackupConfig", "photos", "{x: 22}");
  it.manifests->scan();
  EXPECT_EQ(generation_of(*it.find("BackupConfig", "photos")), 2);
}

/// Users paste the output of `kubectl get -o yaml`.
TEST(ManifestFolder, LeavesOutWhatOnlyKopiurWritesAndSaysSoOnce) {
  folder_fixture it;
  auto text = [](std::string const& spec) {
    return "apiVersion: kopiur.home-operations.com/v1alpha1\nkind: Backup\nmetadata:\n  name: b\n  namespace: home\n  annotations:\n"
           "    kopiur.home-operations.com/slot: x\n    kopiur.home-operations.com/cancel-run: enough\n"
           "    seal.kopiur.home-operations.com/restored-by: x\n    example.org/mine: x\n  labels:\n"
           "    kopiur.home-operations.com/run: x\nspec: " +
           spec + "\n";
  };
  it.files.write("b.yaml", text("{}"));
  it.manifests->scan();
  auto* made = it.find("Backup", "b");
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(json::dump(*made->at("metadata.annotations")), R"({"kopiur.home-operations.com/cancel-run":"enough","example.org/mine":"x"})");
  EXPECT_EQ(label(*made, ours("run")), "");
  auto told = it.manifests->take_notices();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].message.find("without kopiur.home-operations.com/slot, seal.kopiur.home-operations.com/restored-by, "
                                 "kopiur.home-operations.com/run: only kopiur writes"),
            std::string::npos)
      << told[0].message;
  EXPECT_TRUE(it.manifests->problems().empty());
  it.manifests->scan();
  it.reopen();
  it.manifests->scan();
  EXPECT_TRUE(it.manifests->take_notices().empty()) << "it is told once";
  it.store.patch({.object = {"Backup", "home", "b", std::string(uid_of(*it.find("Backup", "b")))}, .labels = {{ours("run"), "ours"}}});
  it.files.write("b.yaml", text("{x: 1}"));
  it.manifests->scan();
  EXPECT_EQ(label(*it.find("Backup", "b"), ours("run")), "ours") << "what kopiur wrote stays";
  EXPECT_EQ(it.manifests->take_notices().size(), 1u) << "another document";
}

TEST(ManifestFolder, AListIsItsObjects) {
  folder_fixture it;
  it.files.write("list.yaml",
                 "apiVersion: v1\nkind: List\nitems:\n- apiVersion: kopiur.home-operations.com/v1alpha1\n  kind: BackupConfig\n  metadata: "
                 "{name: one, namespace: home}\n  spec: {x: 1}\n- apiVersion: kopiur.home-operations.com/v1alpha1\n  kind: BackupConfig\n  "
                 "metadata: {name: two, namespace: home}\n  spec:\n    wrong: 1\n");
  it.manifests->scan();
  EXPECT_NE(it.find("BackupConfig", "one"), nullptr);
  EXPECT_EQ(it.find("BackupConfig", "two"), nullptr);
  ASSERT_EQ(it.manifests->problems().size(), 1U);
  EXPECT_EQ(it.manifests->problems()[0].line, 12);
  EXPECT_EQ(it.manifests->problems()[0].field, "items[1].spec.wrong");
}

TEST(ManifestFolder, WhatKustomizeReadsIsNoObject) {
  folder_fixture it;
  it.put("a.yaml", "BackupConfig", "photos", "{x: 1}");
  it.files.write("kustomization.yaml", "resources: [a.yaml]\n");
  it.manifests->scan();
  EXPECT_NE(it.find("BackupConfig", "photos"), nullptr);
  ASSERT_EQ(it.manifests->problems().size(), 1U);
  EXPECT_TRUE(it.manifests->problems()[0].message.contains("kubectl kustomize"));
}

/// A loop of links must not list a file again and again: that fills the status with 520 lines.
TEST(ManifestFolder, ALoopOfLinksShowsAFileOnce) {
  folder_fixture it;
  it.put("a.yaml", "BackupConfig", "photos", "{x: 1}");
  fs::create_directory_symlink(".", it.files.path() / "loop");
  it.manifests->scan();
  EXPECT_EQ(it.writes, 1);
  EXPECT_TRUE(it.manifests->problems().empty());
}

TEST(ManifestFolder, ABrokenFileIsToldWithItsLineAndHarmsNothing) {
  folder_fixture it;
  it.put("good.yaml", "BackupConfig", "photos", "{x: 1}");
  it.files.write("broken.yaml", "kind: Backup\nmetadata: [\n");
  it.put("refused.yaml", "BackupConfig", "music", "\n  wrong: 1");
  EXPECT_TRUE(it.manifests->scan());
  EXPECT_NE(it.find("BackupConfig", "photos"), nullptr);
  EXPECT_EQ(it.find("BackupConfig", "music"), nullptr);
  ASSERT_EQ(it.manifests->problems().size(), 2u);
  EXPECT_EQ(it.manifests->problems()[0].file, "broken.yaml");
  EXPECT_GT(it.manifests->problems()[0].line, 0);
  EXPECT_EQ(it.manifests->problems()[1].field, "spec.wrong");
  EXPECT_EQ(it.manifests->problems()[1].line, 7);
  EXPECT_FALSE(it.manifests->scan()) << "the same problems are told once";
}

TEST(ManifestFolder, AVanishedFileDeletesNothingAndSuspendsWhatActsByItself) {
  folder_fixture it;
  it.put("c.yaml", "BackupConfig", "photos", "{}");
  it.put("s.yaml", "BackupSchedule", "nightly", "{}");
  it.put("b.yaml", "Backup", "once", "{}");
  it.manifests->scan();
  for (auto* name : {"c.yaml", "s.yaml", "b.yaml"}) std::filesystem::remove(it.files / name);
  it.manifests->scan();
  EXPECT_TRUE(it.missing("BackupConfig", "photos"));
  EXPECT_TRUE(it.missing("BackupSchedule", "nightly"));
  ASSERT_NE(it.find("Backup", "once"), nullptr);
  EXPECT_FALSE(it.missing("Backup", "once"));
  it.reopen();
  it.put("moved.yaml", "BackupSchedule", "nightly", "{}");
  it.manifests->scan();
  EXPECT_FALSE(it.missing("BackupSchedule", "nightly"));
  EXPECT_TRUE(it.missing("BackupConfig", "photos"));
}

/// `kopiur suspend` writes an annotation that is not in the manifest, which its owner may edit meanwhile.
TEST(ManifestFolder, LeavesASuspensionByHandThroughEditsAndRestartsUntilItIsTakenAway) {
  folder_fixture it;
  auto name = std::string(proto::annotation::suspended);
  auto says = [&] { return annotation(*it.find("BackupConfig", "photos"), name); };
  auto edit = [&](char const* spec) {
    it.put("c.yaml", "BackupConfig", "photos", spec);
    it.manifests->scan();
  };
  edit("{x: 1}");
  ASSERT_TRUE(it.store.patch({.object = {"BackupConfig", "home", "photos", ""}, .annotations = {{name, "by kopiur suspend"}}}));
  edit("{x: 22}");
  it.reopen();
  edit("{x: 333}");
  EXPECT_EQ(says(), "by kopiur suspend");
  EXPECT_EQ(*it.find("BackupConfig", "photos")->at("spec.x")->as_int(), 333);
  EXPECT_EQ(generation_of(*it.find("BackupConfig", "photos")), 3) << "metadata alone is no new generation";
  ASSERT_TRUE(it.store.patch({.object = {"BackupConfig", "home", "photos", ""}, .remove_annotations = {name}}));
  EXPECT_EQ(says(), "");
  edit("{x: 4444}");
  EXPECT_EQ(says(), "") << "and does not come back";
}

TEST(ManifestFolder, ABrokenFileIsNotAVanishedOne) {
  folder_fixture it;
  it.put("s.yaml", "BackupSchedule", "nightly", "{}");
  it.manifests->scan();
  it.files.write("s.yaml", "kind: [");
  it.manifests->scan();
  EXPECT_FALSE(it.missing("BackupSchedule", "nightly"));
}

TEST(ManifestFolder, AFolderThatIsNotThereSuspendsNothing) {
  folder_fixture it;
  it.put("s.yaml", "BackupSchedule", "nightly", "{}");
  it.manifests->scan();
  std::filesystem::rename(it.files.path(), it.files.path().string() + ".away");
  EXPECT_TRUE(it.manifests->scan());
  EXPECT_FALSE(it.missing("BackupSchedule", "nightly"));
  std::filesystem::rename(it.files.path().string() + ".away", it.files.path());
  it.manifests->scan();
  EXPECT_TRUE(it.manifests->problems().empty());
}

TEST(ManifestFolder, WhatTheUserDeletedComesBackOnlyWithAChangedFile) {
  folder_fixture it;
  it.put("b.yaml", "Backup", "once", "{}");
  it.manifests->scan();
  ASSERT_TRUE(it.store.remove({.object = {"Backup", "home", "once", ""}, .annotations = {}}));
  it.manifests->scan();
  it.reopen();
  it.manifests->scan();
  EXPECT_EQ(it.find("Backup", "once"), nullptr);
  it.put("b.yaml", "Backup", "once", "{again: true}");
  it.manifests->scan();
  EXPECT_NE(it.find("Backup", "once"), nullptr);
}

TEST(ManifestFolder, TheSameObjectTwiceIsTold) {
  folder_fixture it;
  it.put("a.yaml", "Backup", "once", "{x: 1}");
  it.put("sub/b.yaml", "Backup", "once", "{x: 2}");
  it.manifests->scan();
  ASSERT_EQ(it.manifests->problems().size(), 1u);
  EXPECT_EQ(it.manifests->problems()[0].file, "sub/b.yaml");
  EXPECT_EQ(*it.find("Backup", "once")->at("spec.x")->as_int(), 1);
}

}  // namespace
}  // namespace kopiur::gateway::local
