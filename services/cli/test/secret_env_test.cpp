#include "services/cli/core/secret_env.hpp"

#include <gtest/gtest.h>

#include "common/encoding/base64.hpp"

namespace kopiur::cli {
namespace {

json::value secret_with(std::string const& key, std::string const& value) {
  auto data = json::value::make_object();
  data.set(key, encoding::base64(value));
  json::value secret;
  secret.set("data", std::move(data));
  return secret;
}

TEST(SecretEnv, IsReadByAShellAsItIs) {
  EXPECT_EQ(secret_env(secret_with("bucket", "photos")), "bucket='photos'\n");
  EXPECT_EQ(secret_env(secret_with("secretAccessKey", "a'b $(id) `id` \"\\\n")), "secretAccessKey='a'\\''b $(id) `id` \"\\\n'\n");
  EXPECT_EQ(secret_env(secret_with("tls.crt", "x")), "tls_crt='x'\n");
  EXPECT_EQ(secret_env(secret_with("0-a;id", "x")), "_0_a_id='x'\n");
  EXPECT_EQ(secret_env(json::value::make_object()), "");
}

TEST(SecretEnv, RefusesWhatNoVariableHolds) {
  EXPECT_TRUE(secret_env(secret_with("k", std::string("a\0b", 3))).error().contains("The key k"));
  json::value wrong = json::object{{"data", json::object{{"k", "not base64!"}}}};
  EXPECT_TRUE(secret_env(wrong).error().contains("not base64"));
}

}  // namespace
}  // namespace kopiur::cli
