#include <gtest/gtest.h>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::controller {
namespace {

using namespace proto;

struct mirror {
  void put(std::string const& name) {
    std::string body = R"({"metadata":{"name":")" + name + R"("},"driver":"csi"})";
    EXPECT_TRUE(apply(all, subjects::resource("c", "VolumeSnapshotClass", "", name), &body));
  }
  void know(std::string kind, kind_presence presence) {
    auto body = json::write(kind_state{presence, {}});
    EXPECT_TRUE(apply(all, subjects::kind_state("c", kind), &body));
  }
  /// The name; `none`: it does not exist. Else the presence of its kind.
  std::string find(std::string const& name) const {
    auto found = find_foreign<volume_snapshot_class>(all, "", name);
    if (!found) return std::string(json::to_text(found.error()));
    return *found ? (*found)->metadata.name : "none";
  }
  objects all;
};

/// Unknown is not empty: an object of a kind that is not listed is never known to be absent, nor to exist.
TEST(ForeignKinds, AreKnownOnlyWhileTheyAreListed) {
  mirror it;
  EXPECT_EQ(it.find("fast"), "Unknown") << "nothing was told of the kind";
  it.put("fast");
  EXPECT_EQ(it.find("fast"), "Unknown");
  it.know("VolumeSnapshotClass", kind_presence::Listed);
  EXPECT_EQ(it.find("fast"), "fast");
  EXPECT_EQ(it.find("slow"), "none");
  it.know("VolumeSnapshotClass", kind_presence::NotInstalled);
  EXPECT_EQ(it.find("fast"), "NotInstalled") << "what was mirrored before may be outdated";
  EXPECT_EQ(it.all.of<volume_snapshot_class>().size(), 1u) << "nothing was deleted because of it";
  EXPECT_TRUE(apply(it.all, subjects::kind_state("c", "VolumeSnapshotClass"), nullptr));
  EXPECT_EQ(it.find("fast"), "Unknown") << "an older gateway has withdrawn the message";
}

TEST(ForeignKinds, SayNothingOfTheMirrorNorOfOtherKinds) {
  mirror it;
  it.know("VolumeSnapshotClass", kind_presence::Listed);
  EXPECT_FALSE(it.all.listed);
  it.know("Backup", kind_presence::NotInstalled);
  EXPECT_EQ(it.all.presences.size(), 1u) << "one of kopiur's own is never optional";
  std::string const nonsense = R"({"presence":"Perhaps"})";
  EXPECT_FALSE(apply(it.all, subjects::kind_state("c", "VolumeSnapshotClass"), &nonsense));
  EXPECT_EQ(it.find("fast"), "Unknown");
}

}  // namespace
}  // namespace kopiur::controller
