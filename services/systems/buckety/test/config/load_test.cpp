#include <gtest/gtest.h>

#include "services/systems/buckety/test/config/reading.hpp"

namespace kopiur::buckety {
namespace {

auto read(std::string_view text) { return read_with({{"ACCESS", "AKIA"}, {"SECRET", "hunter2"}, {"EMPTY", ""}}, text); }
std::string problem_of(std::string_view text) { return problem_text(read(text)); }

/// One backend, with more lines in its `config:` block or behind it.
std::string backend_with(std::string const& in_config, std::string const& behind = "") {
  return "backends:\n- name: objects\n  driver: s3\n  config:\n    endpoint: http://s3:9000\n    accessKeyID: ${ACCESS}\n"
         "    secretAccessKey: ${SECRET}\n" +
         in_config + behind;
}

TEST(ControllerConfig, IsReadAsWritten) {
  auto config = read(backend_with("    region: us-east-1\n    forcePathStyle: true\n    implementation: versitygw\n",
                                  "  defaults: {zone: local}\n  parameters: {versioning: 'true'}\n"));
  ASSERT_TRUE(config) << config.error().text();
  auto* found = config->find("objects");
  ASSERT_TRUE(found);
  EXPECT_EQ(config->find("other"), nullptr);
  auto& s3 = std::get<s3::backend_config>(found->config);
  EXPECT_EQ(s3.access_key_ID.reveal(), "AKIA");
  EXPECT_EQ(s3.secret_access_key.reveal(), "hunter2");
  EXPECT_EQ(json::write(s3),
            R"({"endpoint":"http://s3:9000","accessKeyID":"***","secretAccessKey":"***","region":"us-east-1","forcePathStyle":true,)"
            R"("implementation":"versitygw"})")
      << "encoded, it has no secret";
  EXPECT_EQ(found->defaults.at("zone"), "local");
  EXPECT_EQ(found->parameters.at("versioning"), "true");
}

TEST(ControllerConfig, KeepsScalarsOfTextFieldsAsTheyAreWritten) {
  auto config =
      read(backend_with("    region: no\n", "  defaults: {zone: 01, generation: 003, ok: 1.50}\n  parameters: {versioning: true}\n"));
  ASSERT_TRUE(config) << config.error().text();
  auto& only = config->backends.front();
  EXPECT_EQ(std::get<s3::backend_config>(only.config).region, "no");
  EXPECT_EQ(only.defaults.at("zone"), "01");
  EXPECT_EQ(only.defaults.at("generation"), "003");
  EXPECT_EQ(only.defaults.at("ok"), "1.50");
  EXPECT_EQ(only.parameters.at("versioning"), "true");
}

TEST(ControllerConfig, TakesEmptyTextForNoRegionAndNoImplementation) {
  auto config = read(backend_with("    region: ''\n    implementation: ''\n"));
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_FALSE(std::get<s3::backend_config>(config->backends.front().config).region);
  EXPECT_FALSE(std::get<s3::backend_config>(config->backends.front().config).implementation);
}

/// The fragments that the suite looks for; each is on one line with its name (spec 1.3).
TEST(ControllerConfig, SaysWhatTheSuiteLooksFor) {
  struct row {
    std::string yaml, expected;
  };
  auto s3 = [](std::string const& name) {
    return "- name: " + name + "\n  driver: s3\n  config: {endpoint: http://s3, accessKeyID: a, secretAccessKey: b}\n";
  };
  for (auto& [yaml, expected] : std::initializer_list<row>{
           {backend_with("    endpont: http://x\n"),
            "yaml:8:5: backends[0].config.endpont: unknown field \"endpont\"; did you mean `endpoint`?"},
           {"backends:\n- name: a\n  drivr: s3\n", "yaml:3:3: backends[0].drivr: unknown field \"drivr\"; did you mean `driver`?"},
           {backend_with("    seedBroker: x\n"), "yaml:8:5: backends[0].config.seedBroker: unknown field \"seedBroker\"."},
           {"backends:\n- name: a\n  driver: s3\n  config:\n    endpoint: http://x\n    accessKeyID: ${BUCKETY_E2E_UNSET_VAR}\n",
            "yaml:6:5: backends[0].config.accessKeyID: undefined variable BUCKETY_E2E_UNSET_VAR: "},
           {"backends:\n- name: a\n  driver: badname\n",
            "yaml:3:3: backends[0].driver: unknown driver \"badname\"; this program has: s3, kadm."},
           {"backends:\n" + s3("kafka") + s3("kafka"), "yaml:5:3: backends[1].name: duplicate backend name \"kafka\"."},
           {"backends:\n- name: a\n  driver: s3\n  config: {accessKeyID: a, secretAccessKey: b}\n",
            "yaml:4:3: backends[0].config.endpoint: missing required field \"endpoint\": "},
           {"backends:\n- name: a\n  driver: s3\n", "yaml:2:3: backends[0].config.endpoint: missing required field \"endpoint\": "},
           {"backends:\n- name: a\n", "yaml:2:3: backends[0].driver: missing required field \"driver\": "},
           {"backends:\n- driver: s3\n", "yaml:2:3: backends[0].name: missing required field \"name\": "},
           {backend_with("    implementation: gcs\n"),
            "yaml:8:5: backends[0].config.implementation: unknown implementation \"gcs\"; known are aws, r2, minio, versitygw"},
           {"backends: []\n", "yaml:1:1: backends: no backends configured."},
           {"", "yaml: no backends configured: the file is empty."},
           {"{}", "no backends configured."}})
    EXPECT_TRUE(problem_of(yaml).contains(expected)) << yaml << problem_of(yaml) << "\n" << expected;
}

TEST(ControllerConfig, RefusesWhatIsNotStrict) {
  struct row {
    std::string yaml, expected;
  };
  for (auto& [yaml, expected] : std::initializer_list<row>{
           {backend_with("    endpoint: http://y\n"), "yaml:8:5: backends[0].config.endpoint: this key is on line 5 already"},
           {backend_with("    EndPoint: http://y\n"), "unknown field \"EndPoint\"; did you mean `endpoint`?"},
           {"Backends: []\n", "unknown field \"Backends\""},
           {backend_with("", "  defaults: {zone: a, zone: b}\n"), "defaults.zone: this key is on line 8 already"},
           {backend_with("", "---\nbackends: []\n"), "contains several documents"},
           {backend_with("    region: [a]\n"), "backends[0].config.region: must be text"},
           {backend_with("    forcePathStyle: maybe\n"), "backends[0].config.forcePathStyle: must be true or false"},
           {"backends: x\n", "backends: must be a list"},
           {"- a\n", "must be an object"},
           {"backends:\n- name: a\n  driver: s3\n  config: text\n", "backends[0].config: must be an object"},
           {"backends: [\n", "not YAML"}})
    EXPECT_TRUE(problem_of(yaml).contains(expected)) << yaml << problem_of(yaml);
}

TEST(ControllerConfig, RefusesReferencesOutsideSecretFields) {
  constexpr auto expected = "env substitution is not supported here";
  for (auto& yaml : {backend_with("    region: ${ACCESS}\n"), backend_with("", "  defaults: {zone: \"${ACCESS}\"}\n"),
                     backend_with("", "  defaults: {\"${ACCESS}\": a}\n"), backend_with("", "  parameters: {\"${ACCESS}\": a}\n"),
                     std::string("backends:\n- name: ${ACCESS}\n  driver: s3\n"), backend_with("    region: $${ACCESS}\n")})
    EXPECT_TRUE(problem_of(yaml).contains(expected)) << yaml << problem_of(yaml);
  EXPECT_EQ(problem_of(backend_with("    region: a$$b\n")), "accepted") << "no reference";
}

TEST(ControllerConfig, RefusesAVariableThatIsEmptyWhereAValueIsRequired) {
  auto yaml = "backends:\n- name: a\n  driver: s3\n  config: {endpoint: http://s3, accessKeyID: \"${EMPTY:-x}\", secretAccessKey: b}\n";
  EXPECT_TRUE(problem_of(yaml).contains("missing required field \"accessKeyID\"")) << problem_of(yaml);
}

TEST(ControllerConfig, RefusesAnEndpointThatAccessesMustNotSee) {
  for (auto* endpoint : {"s3:9000", "http://", "https:///x", "http://user:key@s3", "http://s3?x=1", "http://a b", "ftp://s3"}) {
    auto yaml = "backends:\n- name: a\n  driver: s3\n  config:\n    accessKeyID: a\n    secretAccessKey: b\n    endpoint: " +
                std::string(endpoint) + "\n";
    EXPECT_TRUE(problem_of(yaml).contains("yaml:7:5: backends[0].config.endpoint: is not an address")) << problem_of(yaml);
  }
}

TEST(ControllerConfig, ChecksTheParametersOfABackend) {
  EXPECT_TRUE(problem_of(backend_with("", "  parameters:\n    versioning: 'yes'\n"))
                  .contains("yaml:9:5: backends[0].parameters.versioning: must be exactly true or false."));
  EXPECT_TRUE(problem_of(backend_with("", "  parameters: {jurisdiction: eu}\n")).contains("`implementation: r2`"));
}

/// No problem repeats a value of a secret field, whatever is wrong with it.
TEST(ControllerConfig, NeverRepeatsASecret) {
  for (auto* value : {"hunter3${1x}", "hunter3${NONE}", "[hunter3]", "{hunter3: a}", "*hunter3", "!!int hunter3", "!hunter3 x", "&hunter3",
                      "hunter3: b", "\"hunter3\\q\"", "'hunter3", "\"hunter3\\x", "@hunter3", "`hunter3", "%hunter3", "|hunter3"}) {
    auto yaml = "backends:\n- name: a\n  driver: s3\n  config:\n    endpoint: http://s3\n    accessKeyID: a\n    secretAccessKey: " +
                std::string(value) + "\n";
    auto says = problem_of(yaml);
    EXPECT_NE(says, "accepted") << yaml;
    EXPECT_FALSE(says.contains("hunter3")) << says;
    EXPECT_FALSE(says.contains('\n')) << says;
  }
  EXPECT_FALSE(problem_of(backend_with("    implementation: gcs\n")).contains("hunter2"));
}

}  // namespace
}  // namespace kopiur::buckety
