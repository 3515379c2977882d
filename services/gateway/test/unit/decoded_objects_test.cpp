#include "services/gateway/admission/decoded_objects.hpp"

#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway {
namespace {

json::value backup(std::string_view name, std::string_view config) {
  auto made = manifest("Backup", name, R"({"configRef":{"name":")" + std::string(config) + R"("}})");
  made.set("status", parsed_json(R"({"phase":"Succeeded","logTail":"much text"})"));
  return made;
}
object_key key(std::string_view name) { return {"Backup", "home", std::string(name)}; }

/// The names of the Backups that are there, and that the index has of these configs.
std::string shown(decoded_objects const& all) {
  std::string text;
  for (auto& [name, _] : all.all().of<proto::backup>()) text += (text.empty() ? "" : " ") + name.name;
  for (auto* config : {"photos", "music"}) {
    auto* members = all.all().members_of<proto::backup>({"home", config});
    text += std::string(" ") + config + ":" + std::to_string(members ? members->size() : 0);
  }
  return text;
}

TEST(DecodedObjects, ShowOneBackupOfEachConfig) {
  decoded_objects all;
  all.take(backup("b", "photos"));
  all.take(backup("c", "photos"));
  EXPECT_EQ(shown(all), "b photos:1 music:0");
  EXPECT_FALSE(all.all().of<proto::backup>().at({"home", "b"}).status.log_tail) << "it takes memory that nobody needs";
  all.take(backup("a", "photos"));
  all.take(backup("x", "music"));
  all.take(backup("x", "music"));
  EXPECT_EQ(shown(all), "a x photos:1 music:1");
  all.drop(key("c"));
  all.drop(key("a"));
  EXPECT_EQ(shown(all), "b x photos:1 music:1") << "another one takes its place";
  all.drop(key("b"));
  all.drop(key("b"));
  EXPECT_EQ(shown(all), "x photos:0 music:1");
}

TEST(DecodedObjects, FollowABackupToAnotherConfig) {
  decoded_objects all;
  all.take(backup("b", "photos"));
  all.take(backup("b", "music"));
  EXPECT_EQ(shown(all), "b photos:0 music:1");
  all.take(manifest("Backup", "b"));
  EXPECT_EQ(shown(all), " photos:0 music:0") << "a discovered Backup has no config";
}

TEST(DecodedObjects, FollowChangesOfWhatUsersWrite) {
  decoded_objects all;
  auto schedule = [](std::string_view config) {
    return manifest("BackupSchedule", "nightly",
                    R"({"configRef":{"name":")" + std::string(config) + R"("},"schedule":{"cron":"H 3 * * *"}})");
  };
  auto config_of = [&] { return all.all().of<proto::backup_schedule>().at({"home", "nightly"}).spec.config_ref.name; };
  all.take(schedule("photos"));
  EXPECT_EQ(config_of(), "photos");
  all.take(schedule("music"));
  EXPECT_EQ(config_of(), "music");
  all.take(manifest("BackupSchedule", "nightly", R"({"configRef":7})"));
  EXPECT_TRUE(all.all().of<proto::backup_schedule>().empty()) << "what does not decode is absent";
  all.take(schedule("photos"));
  all.drop({"BackupSchedule", "home", "nightly"});
  EXPECT_TRUE(all.all().of<proto::backup_schedule>().empty());
}

TEST(DecodedObjects, LeaveOutWhatOnlyServicesRead) {
  decoded_objects all;
  all.take(parsed_json(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"home","uid":"1"}})"));
  all.take(parsed_json(R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"v"}})"));
  all.take(parsed_json(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"home","labels":{"a":"b"}}})"));
  EXPECT_TRUE(all.all().of<controller::secret_metadata>().empty());
  EXPECT_TRUE(all.all().of<proto::persistent_volume>().empty());
  EXPECT_EQ(all.all().of<proto::core_namespace>().size(), 1U) << "repositories are allowed by its labels";
}

}  // namespace
}  // namespace kopiur::gateway
