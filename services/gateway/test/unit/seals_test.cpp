#include "services/gateway/core/seals.hpp"

#include <gtest/gtest.h>

#include "proto/kopiur/names.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {
namespace {

seals const ours_alone{"of this installation"};

json::value claim(json::value annotations, std::string_view name = "data", std::string_view uid = "u1") {
  auto metadata = json::value(json::object{{"namespace", "home"}, {"name", name}, {"uid", uid}, {"annotations", std::move(annotations)}});
  return json::object{{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}, {"metadata", std::move(metadata)}};
}

/// Marks as the gateway writes them on the claim `name`.
json::value sealed(std::map<std::string, std::string> marks, std::string const& name = "data", std::string const& uid = "u1") {
  proto::patch_metadata patch{.object = {"PersistentVolumeClaim", "home", name, uid}, .annotations = std::move(marks)};
  ours_alone.put(patch);
  json::object all;
  for (auto& [key, value] : patch.annotations) all.emplace_back(key, value);
  return all;
}

std::string told(json::value const& object, std::string_view mark) {
  auto seen = ours_alone.judged(object);
  return std::string(annotation(seen, mark)) + "|" + std::string(annotation(seen, "unproven." + std::string(mark)));
}

auto const by = ours("restored-by"), made_for = ours("made-for");

TEST(Seals, ProveAMarkOfTheObjectThatItWasPutOn) {
  auto marks = sealed({{by, "photos"}, {"example.org/x", "1"}});
  EXPECT_EQ(told(claim(marks), by), "photos|");
  EXPECT_EQ(told(claim(marks, "other"), by), "|photos") << "a copy under another name";
  EXPECT_EQ(told(claim(marks, "data", "u2"), by), "|photos") << "a later object of that name";
  auto seen = ours_alone.judged(claim(marks));
  EXPECT_EQ(seen.at("metadata.annotations")->as_object()->size(), 2u) << "the seal itself stays behind: " << json::dump(seen);
}

TEST(Seals, ProveNothingElse) {
  EXPECT_EQ(told(claim(json::object{{by, "photos"}}), by), "|photos") << "no seal";
  auto marks = sealed({{by, "photos"}});
  marks.set(by, "others");
  EXPECT_EQ(told(claim(marks), by), "|others") << "another value";
  auto moved = json::value(json::object{{made_for, "photos"}, {"seal." + made_for, *marks.find("seal." + by)}});
  EXPECT_EQ(told(claim(moved), made_for), "|photos") << "the seal of another mark";
  proto::patch_metadata patch{.object = {"PersistentVolumeClaim", "home", "data", "u1"}, .annotations = {{by, "photos"}}};
  seals("of another installation").put(patch);
  EXPECT_EQ(told(claim(json::object{{by, "photos"}, {"seal." + by, patch.annotations.at("seal." + by)}}), by), "|photos");
}

/// Only the gateway writes a name that services read as "not proven", and names without a proof by seal stay unchanged.
TEST(Seals, LeaveOutWhatUsersWriteUnderTheirNames) {
  EXPECT_EQ(told(claim(json::object{{"unproven." + by, "photos"}}), by), "|");
  auto plain = claim(json::object{{ours("cancel-run"), "x"}, {ours("slot"), "y"}, {"example.org/restored-by", "z"}});
  EXPECT_FALSE(is_marked(plain));
  EXPECT_EQ(ours_alone.judged(plain), plain);
  auto none = json::value(json::object{{"kind", "Secret"}, {"metadata", json::object{{"name", "s"}}}});
  EXPECT_EQ(ours_alone.judged(none), none);
}

/// A new object has no uid. A seal without it is accepted only for `made-for`.
TEST(Seals, OfANewClaimCountBeforeItHasAUid) {
  auto fresh = claim(json::object{{made_for, "uid-of-the-restore"}, {by, "photos"}});
  ours_alone.put_on_new(fresh);
  EXPECT_EQ(told(fresh, made_for), "uid-of-the-restore|");
  EXPECT_EQ(told(fresh, by), "|photos");
  proto::patch_metadata unnamed{.object = {"PersistentVolumeClaim", "home", "data", ""}, .annotations = {{by, "photos"}}};
  ours_alone.put(unnamed);
  EXPECT_EQ(unnamed.annotations.size(), 1u) << "nobody knows whose it becomes";
}

TEST(Seals, GoWithADeletion) {
  proto::delete_object gone{.object = {"Backup", "home", "b", "u1"}, .annotations = {{ours("pruned-by"), "retention: too old"}}};
  ours_alone.put(gone);
  auto stamped = marked_for_deletion(
      json::object{{"kind", "Backup"},
                   {"metadata", json::object{{"namespace", "home"}, {"name", "b"}, {"uid", "u1"}, {"finalizers", json::array{"a"}}}}},
      gone.annotations, instant{});
  ASSERT_TRUE(stamped);
  EXPECT_EQ(told(*stamped, ours("pruned-by")), "retention: too old|");
}

}  // namespace
}  // namespace kopiur::gateway
