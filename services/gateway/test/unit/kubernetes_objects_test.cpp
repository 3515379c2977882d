#include "services/gateway/kubernetes/objects/objects.hpp"

#include <gtest/gtest.h>

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

json::value object() {
  return *json::parse(R"({"metadata":{"name":"b","uid":"u","resourceVersion":"7","annotations":{"kept":"1","gone":"2"}}})");
}

TEST(MetadataPatch, NamesWhatChangedAloneAndTheVersionThatWasRead) {
  auto next = *patched(object(), {.object = {}, .annotations = {{"kept", "1"}, {"fresh", "3"}}});
  EXPECT_EQ(metadata_patch(object(), next), *json::parse(R"({"metadata":{"uid":"u","resourceVersion":"7","annotations":{"fresh":"3"}}})"));
}

TEST(MetadataPatch, TakesAnAnnotationAwayWithNull) {
  auto next = *patched(object(), {.object = {}, .remove_annotations = {"gone"}});
  EXPECT_EQ(metadata_patch(object(), next), *json::parse(R"({"metadata":{"uid":"u","resourceVersion":"7","annotations":{"gone":null}}})"));
  auto none = *patched(object(), {.object = {}, .remove_annotations = {"gone", "kept"}});
  EXPECT_EQ(*metadata_patch(object(), none).at("metadata.annotations"), *json::parse(R"({"kept":null,"gone":null})"));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
