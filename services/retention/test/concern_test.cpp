#include "services/retention/core/concern.hpp"

#include <gtest/gtest.h>

namespace kopiur::retention {
namespace {

using namespace proto;
using keys = std::vector<object_key>;

/// The configs `photos` and `mail` of `home`, one of another namespace, and a scheduled Backup of `photos`.
controller::objects cluster() {
  controller::objects all;
  for (auto& [ns, name] : {std::pair("home", "photos"), {"home", "mail"}, {"work", "docs"}}) {
    backup_config config{.api_version = "", .kind = "BackupConfig"};
    config.metadata.namespace_ = ns, config.metadata.name = name;
    all.of<backup_config>()[{ns, name}] = config;
  }
  backup one{.api_version = "", .kind = "Backup"};
  one.metadata.namespace_ = "home", one.metadata.name = "photos-1";
  one.metadata.labels[std::string(label::backup_schedule)] = "nightly";
  one.spec.config_ref = local_ref{"photos"};
  all.of<backup>()[{"home", "photos-1"}] = one;
  return all;
}

object_key const photos{"BackupConfig", "home", "photos"}, mail{"BackupConfig", "home", "mail"},
    nightly{"BackupSchedule", "home", "nightly"};

TEST(ConcernedBy, AConfigOrScheduleItself) {
  EXPECT_EQ(concerned_by(cluster(), ref_to<backup_config>("home", "photos")), keys{photos});
  EXPECT_EQ(concerned_by(cluster(), ref_to<backup_schedule>("home", "nightly")), keys{nightly});
}

TEST(ConcernedBy, ABackupItsConfigAndItsSchedule) {
  EXPECT_EQ(concerned_by(cluster(), ref_to<backup>("home", "photos-1")), (keys{photos, nightly}));
}

/// Nobody knows any more which config it had.
TEST(ConcernedBy, ADeletedBackupEveryConfigOfItsNamespace) {
  EXPECT_EQ(concerned_by(cluster(), ref_to<backup>("home", "gone")), (keys{mail, photos}));
}

TEST(ConcernedBy, ARestoreEveryConfigOfItsNamespace) {
  EXPECT_EQ(concerned_by(cluster(), ref_to<restore>("home", "back")), (keys{mail, photos}));
  EXPECT_EQ(concerned_by(cluster(), ref_to<repository>("home", "nas")), keys{});
}

}  // namespace
}  // namespace kopiur::retention
