#include <gtest/gtest.h>

#include <set>

#include "common/json/describe.hpp"
#include "proto/schema/build.hpp"
#include "proto/schema/check.hpp"
#include "proto/schema/duration_bound.hpp"
#include "proto/schema/emit.hpp"
#include "proto/schema/text_form.hpp"
#include "proto/subjects.hpp"

namespace kopiur::proto::schema {

struct toy {
  std::string name;
  int size = 3;
  std::optional<duration> wait;
  bool spare = false;
};
KOPIUR_DESCRIBE(toy, (), (name, size, wait, spare))
inline type_notes notes_of(std::type_identity<toy>) {
  return {.text = "A toy.",
          .fields = {{"name", "Its name."}, {"size", "Its size.", {.min = 1}}, {"wait", "How long."}, {"colour", "No such field."}}};
}

inline constexpr text_form lower{.pattern = R"(^[a-z.'\d]+$)", .message = "It must be lower.", .hint = "Correct it."};
inline constexpr text_form single{.without = "..", .message = "No two dots.", .hint = "Remove one."};
/// As an API of others may state it: rules in a status, bounds on the number of fields.
struct foreign_toy {
  std::optional<std::string> name, other;
};
KOPIUR_DESCRIBE(foreign_toy, (), (name, other))
inline type_notes notes_of(std::type_identity<foreign_toy>) {
  return {.text = "A toy of others.",
          .fields = {{"name", "Its name."}, {"other", "Its other name."}},
          .rules = {of_form<"name", lower>(), of_form<"name", single>(), unchanged<"name">("The name stays.", "Leave it."),
                    kept<"name">("The name is kept.", "Leave it."), immutable("All of it stays.", "Leave it.")},
          .min_members = 1,
          .max_members = 1,
          .ruled_in_status = true};
}
struct toy_box {
  foreign_toy toy;
};
KOPIUR_DESCRIBE(toy_box, (), (toy))

namespace {

void complaints(node const& node, std::string const& path, std::vector<std::string>& out) {
  for (auto& name : node.without_note) out.push_back(path + "." + name + " has no note");
  for (auto& name : node.note_without_field) out.push_back(path + "." + name + " is a note on no field");
  for (auto& [name, child] : node.properties) {
    if (child.description.size() < 8 && !(path.empty() && name == "metadata")) out.push_back(path + "." + name + " has no sentence");
    complaints(child, path + "." + name, out);
  }
  for (auto& item : node.item) complaints(item, path + "[]", out);
}

std::string all_complaints(node const& node) {
  std::vector<std::string> out;
  complaints(node, "", out);
  std::string text;
  for (auto& each : out) text += each + "\n";
  return text;
}

TEST(Notes, AreMissedWhereAFieldHasNoneAndNoticedWhereThereIsNoField) {
  auto tree = build(toy{}, purpose::Spec);
  EXPECT_EQ(tree.without_note, (std::vector<std::string>{"spare"}));
  EXPECT_EQ(tree.note_without_field, (std::vector<std::string>{"colour"}));
  EXPECT_EQ(json::dump(open_api(tree)),
            R"({"description":"A toy.","type":"object","required":["name"],"properties":{)"
            R"("name":{"description":"Its name.","type":"string"},)"
            R"("size":{"description":"Its size.","type":"integer","format":"int32","minimum":1,"default":3},)"
            R"("wait":{"description":"How long.","type":"string","maxLength":32,"pattern":"^(0|([0-9]+(\\.[0-9]+)?(ms|s|m|h|d))+)$"},)"
            R"("spare":{"type":"boolean","default":false}}})");
}

TEST(Notes, StateRulesOfAnotherApiInAStatusToo) {
  auto made = open_api(build(foreign_toy{}, purpose::Status));
  EXPECT_EQ(*made.find("minProperties"), json::value(1));
  EXPECT_EQ(*made.find("maxProperties"), json::value(1));
  std::string rules;
  for (auto& each : *made.find("x-kubernetes-validations")->as_array()) rules += std::string(each.text("rule")) + "\n";
  EXPECT_EQ(rules,
            "!has(self.name) || self.name.matches('^[a-z.\\'\\\\d]+$')\n"
            "!has(self.name) || !self.name.contains('..')\n"
            "!has(oldSelf.name) || !has(self.name) || self.name == oldSelf.name\n"
            "!has(oldSelf.name) || has(self.name)\n"
            "self == oldSelf\n");
}

/// The first finding of a change; empty: it has none.
std::string finding_of(std::string_view old, std::string_view now) {
  auto read = [](std::string_view text) { return json::parse(text).value(); };
  std::vector<finding> found;
  auto before = old.empty() ? std::optional<json::value>() : read(old);
  check(build(toy_box{}, purpose::Status), read(now), before ? &*before : nullptr, {}, found);
  return found.empty() ? "" : found.front().path + ": " + found.front().message;
}

TEST(Check, CountsFieldsAndKnowsTheFormOfATextAndTheChangesOfInnerStructs) {
  EXPECT_EQ(finding_of("", R"({"toy":{"name":"a.b"}})"), "");
  EXPECT_EQ(finding_of("", R"({"toy":{"name":"A"}})"), "toy.name: It must be lower.");
  EXPECT_EQ(finding_of("", R"({"toy":{"name":"a..b"}})"), "toy.name: No two dots.");
  EXPECT_EQ(finding_of("", R"({"toy":{}})"), "toy: It has 0 fields, and at least 1 is needed.");
  EXPECT_EQ(finding_of("", R"({"toy":{"name":"a","other":"b"}})"), "toy: It has 2 fields, and at most 1 is allowed.");
  EXPECT_EQ(finding_of(R"({"toy":{"name":"a"}})", R"({"toy":{"name":"b"}})"), "toy.name: The name stays.");
  EXPECT_EQ(finding_of(R"({"toy":{"name":"a"}})", R"({"toy":{"other":"b"}})"), "toy.name: The name is kept.");
  EXPECT_EQ(finding_of(R"({"toy":{"other":"a"}})", R"({"toy":{"other":"b"}})"), "toy: All of it stays.");
  EXPECT_EQ(finding_of(R"({})", R"({"toy":{"other":"b"}})"), "") << "a rule about a change holds for what is new";
}

TEST(Notes, StandOnEveryFieldOfTheKinds) {
  for (auto& kind : kinds()) EXPECT_EQ(all_complaints(kind.root), "") << kind.info.kind;
}

TEST(Notes, StandOnEveryFieldOfTheMoversContract) {
  for (auto& body : bodies())
    if (body.name == "work" || body.name == "kopia_result" || body.name == "output_line") {
      EXPECT_EQ(all_complaints(body.root), "") << body.name;
    }
}

bool names_something_secret(std::string path) {
  std::ranges::transform(path, path.begin(), [](unsigned char c) { return std::tolower(c); });
  return path.contains("secret") || path.contains("serviceaccount");
}
/// Paths of fields that may name a Secret or ServiceAccount and are not marked, and of fields that accept anything.
void unmarked(node const& schema, std::string const& path, std::set<std::string>& out) {
  bool says_more = path.ends_with(".key") || path.ends_with(".namespace");
  bool named = schema.type == node::shape::Text && !says_more && names_something_secret(path);
  if (schema.type == node::shape::Anything || (named && schema.bounds.names_kind.empty())) out.insert(path);
  for (auto& [name, child] : schema.properties) unmarked(child, path + "." + name, out);
  for (auto& item : schema.item) unmarked(item, path + "[]", out);
}

TEST(References, AreMarkedOnEveryFieldThatNamesASecretOrAServiceAccount) {
  std::set<std::string> found;
  for (auto& kind : kinds()) unmarked(*kind.root.property("spec"), kind.info.kind.data(), found);
  EXPECT_EQ(found,
            (std::set<std::string>{"BackupConfig.hooks.afterSnapshot[].runJob.jobSpec",  // requires the right to create Jobs
                                   "BackupConfig.hooks.beforeSnapshot[].runJob.jobSpec",
                                   "BackupConfig.mover.podSecurityContext",  // contains no names of objects
                                   "BackupConfig.mover.resources", "BackupConfig.mover.securityContext",
                                   "Buckety.defaultAccess.credentialsSecretName",  // is made, not read
                                   "BucketyAccess.credentialsSecretName",
                                   "EtcdBackup.azureBlob.credentialsSecretRef.name",  // is in the namespace of HyperShift's operator
                                   "EtcdBackup.s3.credentialsSecretRef.name", "Maintenance.mover.resources",
                                   "OpenBaoCluster.backup.restoreTest",                                          // refused
                                   "OpenBaoCluster.backup.target.workloadIdentity.serviceAccountAnnotations[]",  // names nothing
                                   "OpenBaoCluster.network.egressRules[]", "OpenBaoRestore.clusterTemplate",
                                   "OpenBaoRestore.source.target.workloadIdentity.serviceAccountAnnotations[]",
                                   "Restore.mover.podSecurityContext", "Restore.mover.resources", "Restore.mover.securityContext"}))
      << "give the field's note the limits secret_name or service_account_name (proto/schema/notes.hpp)";
}

/// An API server estimates the cost of rules from the maximum size of lists, so a list around a rule needs a bound.
bool has_rules(node const& node) {
  if (!node.rules.empty() || !node.one_of.empty()) return true;
  for (auto& [name, child] : node.properties)
    if (has_rules(child)) return true;
  return !node.item.empty() && has_rules(node.item.front());
}
void unbounded(node const& node, std::string const& path, std::string& out) {
  for (auto& [name, child] : node.properties) unbounded(child, path + "." + name, out);
  if (node.item.empty()) return;
  if (has_rules(node.item.front()) && !node.max_items) out += path + "\n";
  unbounded(node.item.front(), path + "[]", out);
}

TEST(Rules, StandInBoundedListsOnly) {
  for (auto& kind : kinds()) {
    std::string out;
    unbounded(kind.root, "", out);
    EXPECT_EQ(out, "") << kind.info.kind;
  }
}

void each_rule(node const& node, std::string const& path, auto&& f) {
  for (auto& rule : node.rules) f(rule, node, path);
  for (auto& [name, child] : node.properties) each_rule(child, path + "." + name, f);
  for (auto& item : node.item) each_rule(item, path + "[]", f);
}

TEST(Rules, HaveTwoFormsAndAFieldThatExists) {
  for (auto& kind : kinds())
    each_rule(kind.root, std::string(kind.info.kind), [&](rule const& rule, node const& item, std::string const& path) {
      EXPECT_TRUE((rule.holds != nullptr) != (rule.holds_after != nullptr)) << path << ": " << rule.message;
      EXPECT_FALSE(rule.holds_after && rule.cel.find("oldSelf") == rule.cel.npos) << path << ": " << rule.message;
      EXPECT_TRUE(rule.message.ends_with('.') || rule.message.ends_with(").")) << rule.message;
      EXPECT_TRUE(rule.hint.ends_with('.')) << rule.hint;
      node const* here = &item;
      for (std::string_view rest = rule.field; here && !rest.empty();) {
        auto dot = rest.find('.');
        if (rule.cel.empty() && rest == rule.field && rest == "spec") break;
        here = here->property(rest.substr(0, dot));
        rest = dot == rest.npos ? std::string_view{} : rest.substr(dot + 1);
      }
      EXPECT_NE(here, nullptr) << path << " has no " << rule.field;
    });
}

/// A time that a user states: a duration, or a whole number of a unit of time.
bool is_time(std::string_view name, node const& node) {
  if (node.type == node::shape::Text) return node.bounds.pattern == duration_text.pattern;
  auto ends = [&](auto... unit) { return (name.ends_with(unit) || ...); };
  return node.type == node::shape::Integer && ends("Milliseconds", "Seconds", "Minutes", "Hours", "Days", "Timeout", "Deadline");
}
void times_without_bound(node const& node, std::string const& path, std::string& out) {
  for (auto& [name, child] : node.properties) {
    bool refused = child.description.starts_with("Refused");
    if (is_time(name, child) && !child.bounds.longest && !child.bounds.max && !refused) out += path + "." + name + "\n";
    times_without_bound(child, path + "." + name, out);
  }
  for (auto& item : node.item) times_without_bound(item, path + "[]", out);
}

void each_time(node const& node, auto&& f) {
  for (auto& [name, child] : node.properties) {
    if (is_time(name, child)) f(child);
    each_time(child, f);
  }
  for (auto& item : node.item) each_time(item, f);
}

TEST(Times, HaveAnUpperBoundInEverySpec) {
  int found = 0;
  for (auto& kind : kinds()) {
    std::string out;
    times_without_bound(*kind.root.property("spec"), std::string(kind.info.kind), out);
    EXPECT_EQ(out, "") << "give the field's note schema::up_to or schema::seconds, with a bound of proto/kopiur/longest.hpp";
    each_time(*kind.root.property("spec"), [&](node const& time) { found += time.bounds.longest || time.bounds.max; });
  }
  EXPECT_GE(found, 25) << "the test sees the times";
}

TEST(Times, AreComparedWithDaysInFrontOnly) {
  for (auto* each : {"0", "90s", "168h", "7d", "6d24h", "1d12h30m", "0d", "167h59m60s", "604800000ms", "168h999ms"})
    EXPECT_TRUE(is_within(each, 168)) << each;
  for (auto* each : {"", "soon", "168h1s", "7d1s", "8d", "0.5d", "12h1d", "1d1d", "d", "99999d", "999999999999h", "99999999999999999999d"})
    EXPECT_FALSE(is_within(each, 168)) << each;
}

TEST(Crd, BoundsDurationsAndSeconds) {
  auto* schedule = find_kind("BackupSchedule")->root.property("spec")->property("schedule");
  auto jitter = open_api(*schedule->property("jitter"));
  ASSERT_EQ(jitter.find("x-kubernetes-validations")->as_array()->size(), 1u);
  auto& rule = jitter.find("x-kubernetes-validations")->as_array()->front();
  EXPECT_NE(rule.text("rule").find("<= 604800"), std::string_view::npos);
  EXPECT_TRUE(rule.text("message").starts_with("It is longer than 168h"));
  EXPECT_EQ(*open_api(*schedule->property("startingDeadlineSeconds")).find("maximum"), json::value(31'536'000));
}

TEST(Crd, SaysWhatUsersRelyOn) {
  auto made = crd(*find_kind("Repository"));
  EXPECT_EQ(made.text("metadata.name").substr(0, 13), "repositories.");
  EXPECT_EQ(
      json::dump(*made.at("spec.names")),
      R"({"kind":"Repository","listKind":"RepositoryList","plural":"repositories","singular":"repository","shortNames":["kopiarepo"],)"
      R"("categories":["kopiur"]})");
  EXPECT_EQ(made.text("spec.scope"), "Namespaced");
  EXPECT_EQ(crd(*find_kind("ClusterRepository")).text("spec.scope"), "Cluster");
  auto& version = made.at("spec.versions")->as_array()->front();
  EXPECT_TRUE(version.at("subresources.status"));
  auto* spec = version.at("schema.openAPIV3Schema.properties.spec");
  ASSERT_TRUE(spec);
  EXPECT_EQ(json::dump(*spec->find("required")), R"(["backend","encryption"])");
  EXPECT_EQ(json::dump(*spec->at("properties.deletionProtection.default")), "{}");
  EXPECT_EQ(*spec->at("properties.deletionProtection.properties.threshold.default"), json::value(10));
  EXPECT_EQ(spec->text("properties.deletionProtection.properties.window.default"), "1h");
  EXPECT_EQ(spec->text("properties.encryption.properties.passwordSecretRef.properties.key.default"), "KOPIA_PASSWORD");
  auto* conditions = version.at("schema.openAPIV3Schema.properties.status.properties.conditions");
  EXPECT_EQ(conditions->text("x-kubernetes-list-type"), "map");
  auto maintenance = crd(*find_kind("Maintenance"));
  auto* failure =
      maintenance.at("spec.versions")->as_array()->front().at("schema.openAPIV3Schema.properties.spec.properties.failurePolicy");
  EXPECT_EQ(*failure->at("properties.activeDeadlineSeconds.default"), json::value(14400));
}

TEST(Crd, ShowsNoDefaultsInStatus) {
  std::string found;
  auto look = [&](auto& self, node const& node, std::string const& path) -> void {
    if (node.default_) found += path + "\n";
    for (auto& [name, child] : node.properties) self(self, child, path + "." + name);
    for (auto& item : node.item) self(self, item, path + "[]");
  };
  for (auto& kind : kinds()) look(look, *kind.root.property("status"), std::string(kind.info.kind));
  EXPECT_EQ(found, "") << "the API server would write them into every status, in nobody's name";
}

TEST(AsyncApi, NamesOnlyBodiesThatExist) {
  std::set<std::string> known;
  for (auto& each : bodies()) EXPECT_TRUE(known.insert(each.name).second) << each.name;
  for (auto& each : channels())
    for (auto body : each.bodies) EXPECT_TRUE(known.contains(std::string(body))) << each.id << " speaks of " << body;
}

TEST(AsyncApi, HasTheAddressesThatSubjectsMake) {
  std::set<std::string_view> addresses;
  for (auto& each : channels()) addresses.insert(each.address);
  for (auto& made :
       {subjects::request("{cluster}", "{namespace}", "{verb}"), subjects::request_ack("{cluster}", "{namespace}", "{id}"),
        subjects::resource("{cluster}", "{kind}", "{namespace}", "{name}"), subjects::run("{cluster}", "{run}"), subjects::lease("{key}"),
        subjects::lease_request("{verb}", "{key}", "{run}"), subjects::command("{cluster}", "{service}", "{verb}", "{key}"),
        subjects::answer("{cluster}", "{service}", "{verb}", "{key}"),
        subjects::status_fragment("{cluster}", "{kind}", "{namespace}", "{name}", "{service}"), subjects::live("{cluster}", "{run}")})
    EXPECT_TRUE(addresses.contains(made)) << made;
}

}  // namespace
}  // namespace kopiur::proto::schema
