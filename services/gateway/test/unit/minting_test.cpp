#include "common/encoding/base64.hpp"
#include "services/gateway/test/unit/stage.hpp"

/// Secrets that the gateway mints: whose they are, what they contain, and what it leaves alone.
namespace kopiur::gateway {
namespace {

minted_secret const wanted{.owner = {"BucketyAccess", "home", "reader", "u1"},
                           .owner_version = "buckety.yolean.se/v1alpha1",
                           .name = "photos",
                           .labels = {{"owned", "true"}},
                           .values = {{"bucket", "photos"}, {"key", "hunter2"}}};

json::value existing() {
  auto secret = manifest_of(wanted);
  secret.find("metadata")->set("uid", "s1"), secret.find("metadata")->set("resourceVersion", "7");
  return secret;
}

TEST(Minting, ChangesNothingThatIsRight) {
  auto secret = existing();
  secret.find("data")->set("added-by-a-user", "eA==");
  EXPECT_EQ(patch_for(secret, wanted).value(), std::nullopt);
}

TEST(Minting, RepairsValuesAndLabelsOfThatVersionOnly) {
  auto secret = existing();
  secret.find("data")->set("bucket", "eA=="), secret.find("data")->set("old", "eA==");
  secret.find("metadata")->set("labels", json::value::make_object());
  auto again = wanted;
  again.absent = {"old"};
  auto patch = patch_for(secret, again).value().value();
  EXPECT_EQ(patch.text("metadata.resourceVersion"), "7");
  json::merge(secret, patch);
  EXPECT_EQ(secret, existing()) << "RFC 7386";
}

/// spec/buckety.md 5.2: a Secret that existed before was taken over, overwritten, and later deleted.
TEST(Minting, LeavesTheSecretOfAnotherOwnerAlone) {
  auto with_owner = [](std::string const& owner) {
    auto secret = existing();
    secret.find("metadata")->set("ownerReferences", parsed_json(owner));
    auto patch = patch_for(secret, wanted);
    return patch ? answer_code::Ok : patch.error().code;
  };
  EXPECT_EQ(with_owner(R"([{"uid":"u1","controller":true}])"), answer_code::Ok);
  EXPECT_EQ(with_owner(R"([{"uid":"u2","controller":true}])"), answer_code::AlreadyExists);
  EXPECT_EQ(with_owner(R"([{"uid":"u1","controller":false}])"), answer_code::AlreadyExists) << "an owner that does not control it";
  EXPECT_EQ(with_owner("[]"), answer_code::AlreadyExists);
  EXPECT_FALSE(is_controlled_by(parsed_json(R"({"metadata":{"ownerReferences":[{"controller":true}]}})"), ""))
      << "without a uid nothing is proven";
}

struct mint_stage : stage {
  proto::object_ref owner{"BucketyAccess", "home", "reader", ""};
  mint_stage() {
    owner.uid =
        command("a",
                proto::create_object{parsed_json(
                    R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"BucketyAccess","metadata":{"name":"reader","namespace":"home"},
                                     "spec":{"bucketyRef":{"name":"photos"},"credentialsSecretName":"photos"}})")})
            .uid;
  }
  proto::mint_secret request() const {
    return {.owner = owner,
            .name = "photos",
            .values = {{"bucket", "photos"}},
            .configured = {{"secretAccessKey", {"buckety", "objects", "secretAccessKey"}}}};
  }
  std::string file(std::string const& key) { return files::read_file(data / "secrets/home/photos" / key).value_or("none"); }
};

TEST(MintSecret, FillsInTheSecretAndShowsItAsFiles) {
  mint_stage stage;
  auto said = stage.command("1", stage.request());
  ASSERT_EQ(said.code, answer_code::Ok) << said.message;
  EXPECT_EQ(stage.file("secretAccessKey"), "hunter2");
  EXPECT_EQ(stage.file("bucket"), "photos");
  EXPECT_EQ(std::filesystem::status(stage.data / "secrets/home/photos/bucket").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::remove(stage.data / "secrets/home/photos/bucket");
  EXPECT_EQ(stage.command("2", stage.request()).resource_version, said.resource_version) << "nothing was written";
  EXPECT_EQ(stage.file("bucket"), "photos") << "a file that was removed is there again";
  EXPECT_EQ(stage.command("3", proto::drop_secret{stage.owner, "photos"}).code, answer_code::Ok);
  EXPECT_FALSE(std::filesystem::exists(stage.data / "secrets/home/photos"));
  EXPECT_FALSE(std::filesystem::exists(stage.data / "objects/Secret/home/photos.json"));
}

TEST(MintSecret, NeedsALiveOwnerOfAKindThatOwnsSecrets) {
  mint_stage stage;
  auto request = stage.request();
  request.owner.uid = "another";
  EXPECT_EQ(stage.command("1", request).code, answer_code::NotFound);
  auto backup = stage.command("b", proto::create_object{manifest("Backup", "b")});
  request.owner = {"Backup", "home", "b", backup.uid};
  EXPECT_EQ(stage.command("2", request).code, answer_code::Forbidden);
  request = stage.request();
  request.configured["x"] = {"buckety", "objects", "unknown"};
  auto said = stage.command("3", request);
  EXPECT_EQ(said.code, answer_code::Unavailable);
  EXPECT_TRUE(said.message.contains("unknown of objects"));
}

/// The gateway carries out commands in any order: a late one must not revive the Secret of an access that goes.
TEST(MintSecret, MintsNothingForAnOwnerThatIsBeingDeleted) {
  mint_stage stage;
  stage.command("f", proto::patch_metadata{.object = stage.owner, .add_finalizers = {"test/held"}});
  stage.command("1", stage.request());
  stage.command("d", proto::delete_object{.object = stage.owner});
  std::filesystem::remove(stage.data / "objects/Secret/home/photos.json");
  stage.restart();
  EXPECT_EQ(stage.command("2", proto::drop_secret{stage.owner, "photos"}).code, answer_code::Ok);
  EXPECT_FALSE(std::filesystem::exists(stage.data / "secrets/home/photos")) << "the files of a Secret that is gone";
  EXPECT_EQ(stage.command("3", stage.request()).code, answer_code::NotFound);
  EXPECT_EQ(stage.file("bucket"), "none");
  EXPECT_EQ(stage.command("4", proto::drop_secret{{"Certificate", "home", "c", "u"}, "photos"}).code, answer_code::Forbidden);
}

TEST(MintSecret, SomebodyElsesSecretIsNeitherChangedNorDropped) {
  mint_stage stage;
  stage.data.write("objects/Secret/home/photos.json",
                   R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"photos","namespace":"home","uid":"s","resourceVersion":"1"},
                       "data":{"mine":"eA=="}})");
  stage.restart();
  EXPECT_EQ(stage.command("1", stage.request()).code, answer_code::AlreadyExists);
  EXPECT_EQ(stage.command("2", proto::drop_secret{stage.owner, "photos"}).code, answer_code::Ok);
  auto there = files::read_file(stage.data / "objects/Secret/home/photos.json").value();
  EXPECT_EQ(parsed_json(there).text("data.mine"), "eA==");
}

/// The canary: a value of the gateway's configuration is in no message.
TEST(MintSecret, PutsNoSecretOnTheBus) {
  mint_stage stage;
  int seen = 0;
  stage.net.server().on_stored([&](auto const&, bus::stored const& message) {
    ++seen;
    EXPECT_FALSE(message.body.contains("hunter2") || message.body.contains(encoding::base64("hunter2"))) << message.subject;
  });
  stage.command("1", stage.request());
  EXPECT_GT(seen, 2) << "the command, its answer, the mirrored Secret";
  EXPECT_EQ(stage.file("secretAccessKey"), "hunter2");
}

}  // namespace
}  // namespace kopiur::gateway
