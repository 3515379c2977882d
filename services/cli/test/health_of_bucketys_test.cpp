#include <gtest/gtest.h>

#include "services/cli/test/health_texts.hpp"

/// What health says of Bucketys and their accesses.
namespace kopiur::cli {
namespace {

using namespace proto;

proto::condition ready(condition_status status, std::string message) {
  return {.type = "Ready", .status = status, .message = std::move(message)};
}

TEST(HealthOfBucketys, NamesTheResourceOrTheReason) {
  buckety one;
  one.metadata = {.name = "photos", .namespace_ = "default"};
  EXPECT_EQ(said(one), "waiting buckety default/photos: It waits for the provisioner.\n");
  one.status = {.backend = "objects", .backend_resource_name = "my-photos", .conditions = {ready(condition_status::True, "")}};
  EXPECT_EQ(said(one), "good buckety default/photos: Ready: my-photos on objects.\n");
  one.status.conditions = {ready(condition_status::False, "The backend has not answered.")};
  EXPECT_EQ(said(one), "bad buckety default/photos: The backend has not answered.\n");
  one.status.conditions.push_back({.type = "Reconciling", .status = condition_status::True});
  EXPECT_EQ(said(one), "waiting buckety default/photos: The backend has not answered.\n") << "it passes by itself";
}

TEST(HealthOfBucketys, NamesTheSecretOfAnAccess) {
  buckety_access one;
  one.metadata = {.name = "reader", .namespace_ = "default"};
  one.spec.credentials_secret_name = "photos-reader";
  one.status.conditions = {ready(condition_status::True, "")};
  EXPECT_EQ(said(one), "good access default/reader: Ready: Secret photos-reader.\n");
  one.status.conditions = {ready(condition_status::False, "The Secret is another's.")};
  EXPECT_EQ(said(one), "bad access default/reader: The Secret is another's.\n");
}

}  // namespace
}  // namespace kopiur::cli
