#include "services/gateway/core/objects.hpp"
#include "common/encoding/base64.hpp"

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {
namespace {

using namespace std::chrono_literals;

instant const start = *instant_from("2026-11-21T06:00:00.123Z");

json::value parsed(std::string_view text) {
  auto read = json::parse(text);
  if (!read) throw std::runtime_error(read.error().text());
  return *read;
}

json::value config() {
  return created(
      parsed(R"({"apiVersion":"g/v1","kind":"BackupConfig","metadata":{"name":"photos","namespace":"home","labels":{"a":"1","b":"2"}},
                            "spec":{"x":1},"status":{"phase":"Made up"}})"),
      "u-1", start);
}

TEST(Names, AreThoseOfKubernetesAndSafeAsFileNames) {
  for (auto* good : {"a", "photos", "a-1", "a.b.c", "0"}) EXPECT_TRUE(is_object_name(good)) << good;
  for (auto* bad : {"", ".", "..", "a..b", "-a", "a-", ".a", "a/b", "A", "a_b", "a b", "../a"}) EXPECT_FALSE(is_object_name(bad)) << bad;
  EXPECT_FALSE(is_object_name(std::string(254, 'a')));
  EXPECT_FALSE(is_label_name("a.b"));
}

TEST(Key, OfAManifestGetsTheDefaultNamespaceOrNone) {
  EXPECT_EQ(*admit_key(parsed(R"({"apiVersion":"v1","kind":"Backup","metadata":{"name":"x"}})")), (object_key{"Backup", "default", "x"}));
  EXPECT_EQ(*admit_key(parsed(R"({"apiVersion":"v1","kind":"ClusterRepository","metadata":{"name":"x","namespace":"y"}})")),
            (object_key{"ClusterRepository", "", "x"}));
  for (auto* bad : {R"({"kind":"Backup","metadata":{"name":"x"}})", R"({"apiVersion":"v1","kind":"../x","metadata":{"name":"x"}})",
                    R"({"apiVersion":"v1","kind":"Backup","metadata":{"name":"x","namespace":".."}})", R"([])",
                    R"({"apiVersion":"v1","kind":"Backup","metadata":{}})"})
    EXPECT_FALSE(admit_key(parsed(bad))) << bad;
}

TEST(Created, HasIdentityAndNoStatus) {
  auto object = config();
  EXPECT_EQ(uid_of(object), "u-1");
  EXPECT_EQ(generation_of(object), 1);
  EXPECT_EQ(object.text("metadata.creationTimestamp"), "2026-11-21T06:00:00Z");
  EXPECT_EQ(object.find("status"), nullptr);
}

TEST(Created, FoldsAPlainSecretIntoItsData) {
  auto secret = created(
      parsed(
          R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"KOPIA_PASSWORD":"hunter2"},"data":{"x":"eA=="}})"),
      "u", start);
  EXPECT_EQ(secret.find("stringData"), nullptr);
  EXPECT_EQ(encoding::from_base64(secret.text("data.KOPIA_PASSWORD")), "hunter2");
  EXPECT_EQ(secret.text("data.x"), "eA==");
}

TEST(Applied, WritesNothingWhenTheManifestSaysWhatIsThere) {
  auto manifest = parsed(
      R"({"apiVersion":"g/v1","kind":"BackupConfig","metadata":{"name":"photos","namespace":"home","labels":{"a":"1","b":"2"}},"spec":{"x":1}})");
  EXPECT_EQ(applied(config(), manifest), std::nullopt);
}

/// 20,000 labels and annotations, a tenth of them new. A quadratic algorithm takes minutes.
TEST(Applied, TakesAnObjectWithManyMembers) {
  auto list = [](int from, int count) {
    json::object texts, content;
    for (int i = from; i < from + count; ++i)
      texts.emplace_back("k" + std::to_string(i), std::to_string(i)), content.emplace_back(texts.back());
    return json::value(json::object{{"apiVersion", "v1"},
                                    {"kind", "Secret"},
                                    {"metadata", json::object{{"name", "s"}, {"labels", texts}, {"annotations", texts}}},
                                    {"stringData", texts},
                                    {"data", json::object{{"k0", "old"}}}});
  };
  auto next = applied(created(list(0, 20'000), "u", start), list(2'000, 20'000));
  ASSERT_TRUE(next);
  auto& labels = *next->at("metadata.labels")->as_object();
  EXPECT_EQ(labels.size(), 20'000u);
  EXPECT_EQ(labels.front().first, "k2000");
  EXPECT_EQ(encoding::from_base64(next->text("data.k21999")), "21999");
}

TEST(Applied, BumpsTheGenerationForContentAlone) {
  auto manifest = parsed(
      R"({"apiVersion":"g/v1","kind":"BackupConfig","metadata":{"name":"photos","namespace":"home","labels":{"a":"9"}},"spec":{"x":1}})");
  auto relabelled = applied(config(), manifest);
  ASSERT_TRUE(relabelled);
  EXPECT_EQ(generation_of(*relabelled), 1);
  EXPECT_EQ(label(*relabelled, "a"), "9");
  EXPECT_EQ(label(*relabelled, "b"), "") << "the last apply set it, this one does not: it goes";
  manifest.set("spec", parsed(R"({"x":2})"));
  auto changed = applied(*relabelled, manifest);
  ASSERT_TRUE(changed);
  EXPECT_EQ(generation_of(*changed), 2);
}

TEST(Applied, LeavesWhatOthersWrote) {
  auto object = config();
  object = *patched(
      object, {.object = {}, .add_finalizers = {"f"}, .remove_finalizers = {}, .labels = {{"ours", "1"}}, .annotations = {{"note", "n"}}});
  object = *with_status(object, parsed(R"({"phase":"Ready"})"));
  auto manifest =
      parsed(R"({"apiVersion":"g/v1","kind":"BackupConfig","metadata":{"name":"photos","namespace":"home","uid":"forged","finalizers":[],
                             "resourceVersion":"7"},"spec":{"y":1},"status":{"phase":"Forged"}})");
  auto next = applied(object, manifest);
  ASSERT_TRUE(next);
  EXPECT_EQ(uid_of(*next), "u-1");
  EXPECT_EQ(next->text("status.phase"), "Ready");
  EXPECT_EQ(label(*next, "ours"), "1");
  EXPECT_EQ(annotation(*next, "note"), "n");
  EXPECT_EQ(*next->at("metadata.finalizers"), parsed(R"(["f"])"));
  EXPECT_EQ(next->at("spec.x"), nullptr) << "content is replaced, not merged";
}

TEST(Applied, KeepsTheVolumeOfABoundClaim) {
  auto claim = created(
      parsed(
          R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],"volumeName":"pv"}})"),
      "u", start);
  EXPECT_EQ(
      applied(
          claim,
          parsed(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"]}})")),
      std::nullopt);
}

TEST(Patched, ChangesNothingTwice) {
  proto::patch_metadata patch{
      .object = {}, .add_finalizers = {"f"}, .remove_finalizers = {"absent"}, .labels = {{"l", "1"}}, .annotations = {{"a", "1"}}};
  auto once = patched(config(), patch);
  ASSERT_TRUE(once);
  EXPECT_EQ(patched(*once, patch), std::nullopt);
}

TEST(Patched, TakesAnnotationsAwayAndNoneThatIsNotThere) {
  auto marked = *patched(config(), {.object = {}, .annotations = {{"a", "1"}, {"b", "2"}}});
  auto one = patched(marked, {.object = {}, .remove_annotations = {"a", "absent"}});
  ASSERT_TRUE(one);
  EXPECT_EQ(annotation(*one, "a"), "");
  EXPECT_EQ(annotation(*one, "b"), "2");
  EXPECT_EQ(patched(*one, {.object = {}, .remove_annotations = {"a"}}), std::nullopt);
  EXPECT_EQ(patched(*one, {.object = {}, .remove_annotations = {"b"}})->at("metadata.annotations"), nullptr) << "no empty map stays";
}

TEST(Deletion, WaitsForFinalizers) {
  auto held = *patched(config(), {.object = {}, .add_finalizers = {"f"}, .remove_finalizers = {}, .labels = {}, .annotations = {}});
  auto marked = marked_for_deletion(held, {{"why", "x"}}, start);
  ASSERT_TRUE(marked);
  EXPECT_EQ(annotation(*marked, "why"), "x");
  EXPECT_FALSE(may_go(*marked));
  EXPECT_EQ(marked_for_deletion(*marked, {{"why", "x"}}, start + 1h), std::nullopt);
  auto released = patched(*marked, {.object = {}, .add_finalizers = {}, .remove_finalizers = {"f"}, .labels = {}, .annotations = {}});
  ASSERT_TRUE(released);
  EXPECT_TRUE(may_go(*released));
  EXPECT_FALSE(may_go(config()));
}

TEST(Proof, IsTheSameRunOrRequestAndNothingLess) {
  auto marked = [](std::string_view map, std::string_view name, std::string_view value) {
    auto object = parsed(R"({"metadata":{}})");
    object.find("metadata")->set(map, json::object{{std::string(name), value}});
    return object;
  };
  auto run = ours("run");
  EXPECT_TRUE(proves(marked("labels", run, "r"), marked("annotations", run, "r")));
  EXPECT_FALSE(proves(marked("labels", run, "r"), marked("labels", run, "q")));
  EXPECT_FALSE(proves(marked("labels", run, ""), marked("labels", run, "")));
  EXPECT_FALSE(proves(config(), config()));
  auto refused = made_by_another({"Job", "home", "r-1"});
  EXPECT_EQ(refused.code, proto::answer_code::AlreadyExists);
  EXPECT_TRUE(refused.message.starts_with("Job home/r-1 exists already")) << refused.message;
  EXPECT_NE(refused.message.find("Delete it"), std::string::npos) << "it says what to do";
  EXPECT_TRUE(proves(marked("annotations", ours("request"), "s#1"), marked("annotations", ours("request"), "s#1")));
}

TEST(MirrorForm, OfASecretHoldsNoValueAndNoKey) {
  auto secret = created(
      parsed(
          R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"n","annotations":{"a":"hunter2"}},"stringData":{"KEY":"hunter2"}})"),
      "u", start);
  auto text = json::dump(mirror_form(secret));
  EXPECT_EQ(text.find("hunter2"), text.npos);
  EXPECT_EQ(text.find("KEY"), text.npos);
  EXPECT_EQ(text.find(encoding::base64("hunter2")), text.npos);
  EXPECT_EQ(mirror_form(secret).text("metadata.uid"), "u");
}

TEST(MirrorForm, DropsManagersAndLastApplied) {
  auto object = *patched(config(), {.object = {},
                                    .add_finalizers = {},
                                    .remove_finalizers = {},
                                    .labels = {},
                                    .annotations = {{"kubectl.kubernetes.io/last-applied-configuration", "{}"}}});
  auto form = mirror_form(object);
  EXPECT_EQ(form.at("metadata.managedFields"), nullptr);
  EXPECT_EQ(form.at("metadata.annotations"), nullptr);
  EXPECT_EQ(label(form, "a"), "1");
}

TEST(Base64, IsThatOfTheRfc) {
  std::pair<std::string, std::string> const table[] = {{"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
                                                       {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {std::string("\0\xff", 2), "AP8="}};
  for (auto const& [bytes, text] : table) {
    EXPECT_EQ(encoding::base64(bytes), text);
    EXPECT_EQ(encoding::from_base64(text), bytes);
  }
  for (auto* bad : {"Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9*"}) EXPECT_EQ(encoding::from_base64(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace kopiur::gateway
