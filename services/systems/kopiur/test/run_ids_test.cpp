#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

#include <gtest/gtest.h>

namespace kopiur::rules {
namespace {

using namespace proto;

instant const slot = instant_from("2026-11-21T06:00:00Z").value();

TEST(RunIds, AreWhatTheyWereForEver) {
  EXPECT_EQ(slot_run("ns", "uid-1", slot, "/pvc/data"), "backup-c6bdc6480d29aa7e");
  EXPECT_EQ(former_slot_run("uid-1", slot, "/pvc/data"), "backup-d99a0aeb82256168");
}

/// A Backup of `ns` for a slot of schedule uid-1, labelled with `run`.
backup scheduled(std::string ns, std::string run) {
  backup one;
  one.metadata.namespace_ = std::move(ns), one.metadata.name = backup_name("nightly", slot, "/pvc/data");
  one.metadata.labels[std::string(label::backup_schedule)] = "nightly";
  one.metadata.labels[std::string(label::run)] = std::move(run);
  one.metadata.annotations[std::string(annotation::schedule_uid)] = "uid-1";
  one.metadata.annotations[std::string(annotation::slot)] = to_text(slot);
  one.spec.source_path = "/pvc/data";
  return one;
}

/// Security review, H1: otherwise a Backup of any namespace could take the run of another one's slot by its label.
TEST(RunIds, ALabelIsBelievedWhereItIsProven) {
  controller::objects all;
  auto run = slot_run("ns", "uid-1", slot, "/pvc/data");
  EXPECT_TRUE(proves_its_run(all, scheduled("ns", run)));
  EXPECT_FALSE(proves_its_run(all, scheduled("evil", run))) << "whatever else is copied with it";
  EXPECT_FALSE(proves_its_run(all, scheduled("ns", former_slot_run("uid-1", slot, "/pvc/data")))) << "that might be anybody's";
  EXPECT_FALSE(proves_its_run(all, scheduled("ns", "")));
  auto copy = scheduled("ns", run);
  ASSERT_TRUE(scheduled_for(copy));
  copy.metadata.name = "a-copy";  // simulation, seed 10030: a copy must not own the original's snapshot, which is deleted with its owner
  EXPECT_FALSE(proves_its_run(all, copy));
  EXPECT_FALSE(scheduled_for(copy));
  auto old = scheduled("ns", former_slot_run("uid-1", slot, "/pvc/data"));
  old.status.job = backup_job{former_slot_run("uid-1", slot, "/pvc/data") + "-2", 2};
  EXPECT_TRUE(proves_its_run(all, old)) << "its status says so";
}

TEST(RunIds, OfASiblingIsProvenByWhatItIsPartOf) {
  controller::objects all;
  auto& parent = all.of<backup>()[{"ns", "all"}];
  parent.metadata.uid = "uid-all";
  auto sibling = scheduled("ns", sibling_run(parent, "/pvc/data"));
  sibling.metadata.annotations.clear();
  EXPECT_FALSE(proves_its_run(all, sibling));
  sibling.metadata.labels[std::string(label::group)] = "all";
  EXPECT_FALSE(proves_its_run(all, sibling)) << "a copy of it";
  sibling.metadata.name = sibling_name(parent, "/pvc/data");
  EXPECT_TRUE(proves_its_run(all, sibling));
  sibling.metadata.namespace_ = "evil";
  EXPECT_FALSE(proves_its_run(all, sibling));
}

}  // namespace
}  // namespace kopiur::rules
