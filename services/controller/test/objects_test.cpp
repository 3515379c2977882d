#include <gtest/gtest.h>

#include "proto/subjects.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::controller {
namespace {

using namespace proto;

/// No table has it, but it exists: who deletes because of its absence must know.
TEST(Objects, ThatCannotBeReadAreKnownToExist) {
  objects all;
  auto put = [&](std::string const& name, std::string const& body) {
    return apply(all, subjects::resource("c", repository::info.kind, "home", name), &body).has_value();
  };
  std::string const good =
      R"({"metadata":{"name":"a"},"spec":{"backend":{"s3":{"bucket":"b"}},"encryption":{"passwordSecretRef":{"name":"p"}}}})";
  EXPECT_TRUE(put("a", good));
  EXPECT_TRUE(all.unreadable.empty());
  EXPECT_FALSE(put("a", R"({"spec":7})"));
  EXPECT_FALSE(put("b", R"({"tooLarge":true,"kind":"Repository"})"));
  EXPECT_EQ(all.unreadable, (std::set{key_to<repository>("home", "a"), key_to<repository>("home", "b")}));
  EXPECT_TRUE(all.of<repository>().empty());
  EXPECT_TRUE(put("a", good));
  EXPECT_TRUE(apply(all, subjects::resource("c", repository::info.kind, "home", "b"), nullptr));
  EXPECT_TRUE(all.unreadable.empty());
}

}  // namespace
}  // namespace kopiur::controller
