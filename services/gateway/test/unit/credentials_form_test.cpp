#include "services/gateway/core/credentials_form.hpp"

#include <gtest/gtest.h>

namespace kopiur::gateway {
namespace {

using proto::credentials_cloud;
using proto::credentials_mode;

TEST(CredentialsForm, OfAwsIsARoleOrAFile) {
  auto role = form_of(credentials_cloud::Aws, " arn:aws:iam::123456789012:role/etcd\r\n", {}).value();
  EXPECT_EQ(role.mode, credentials_mode::WebIdentity);
  EXPECT_EQ(role.role_ARN, "arn:aws:iam::123456789012:role/etcd");
  EXPECT_EQ(role.key, "");
  auto file = form_of(credentials_cloud::Aws, "[default]\naws_access_key_id = arn:hidden\n", {}).value();
  EXPECT_EQ(file.mode, credentials_mode::File);
  EXPECT_EQ(file.key, "credentials");
  EXPECT_EQ(file.role_ARN, "");
}

TEST(CredentialsForm, OfAzureTakesTheCloudKeyFirst) {
  auto both =
      form_of(credentials_cloud::Azure, R"({"clientSecret":"s"})", "A=1\r\nAZURE_CLIENT_ID= id-1 \r\nAZURE_TENANT_ID=\"t-1\"\n").value();
  EXPECT_EQ(both.mode, credentials_mode::WorkloadIdentity);
  EXPECT_EQ(both.client_id, "id-1");
  EXPECT_EQ(both.tenant_id, "t-1");
  EXPECT_EQ(both.key, "") << "a Secret with `cloud` alone has no file (B6.8)";
  EXPECT_EQ(form_of(credentials_cloud::Azure, R"({"clientSecret":"s"})", "AZURE_CLIENT_ID=\n").value().mode,
            credentials_mode::ClientSecret);
  EXPECT_EQ(form_of(credentials_cloud::Azure, R"({"authenticationEndpoint":"e"})", {}).value().mode, credentials_mode::ManagedIdentity);
}

TEST(CredentialsForm, OfAWorkloadIdentityNeedsItsTenant) {
  auto none = form_of(credentials_cloud::Azure, {}, "AZURE_CLIENT_ID=id-1\n");
  ASSERT_FALSE(none) << "the Job could not get a token";
  EXPECT_EQ(none.error().code, proto::answer_code::NotFound);
  EXPECT_NE(none.error().message.find("AZURE_TENANT_ID"), std::string::npos);
}

TEST(CredentialsForm, NamesTheMissingKeyAndNoValue) {
  for (auto cloud : {credentials_cloud::Aws, credentials_cloud::Azure}) {
    auto none = form_of(cloud, "  \n", {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, proto::answer_code::NotFound);
    EXPECT_NE(none.error().message.find("credentials"), std::string::npos);
  }
}

}  // namespace
}  // namespace kopiur::gateway
