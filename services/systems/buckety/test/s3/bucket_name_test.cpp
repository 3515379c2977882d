#include "services/systems/buckety/s3/bucket_name.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::s3 {
namespace {

TEST(BucketName, IsTaken) {
  for (auto name : {std::string("abc"), std::string(63, 'a'), std::string("tenant1.orders-v003"), std::string("1.2.3"),
                    std::string("1.2.3.4a"), std::string("axn--b"), std::string("a-s3alias-b")})
    EXPECT_EQ(refuse_bucket_name(name), std::nullopt) << name;
}

TEST(BucketName, IsRefusedWithTheRule) {
  struct row {
    std::string name, rule;
  };
  for (auto& [name, rule] : std::initializer_list<row>{{"", "needs 3 to 63"},
                                                       {"ab", "needs 3 to 63"},
                                                       {std::string(64, 'a'), "needs 3 to 63"},
                                                       {"Orders", "lowercase"},
                                                       {"a_b", "lowercase"},
                                                       {"a b", "lowercase"},
                                                       {"ab\n", "lowercase"},
                                                       {"b\xC3\xA4r", "lowercase"},
                                                       {"-abc", "begin and end"},
                                                       {"abc.", "begin and end"},
                                                       {"a..b", "two dots"},
                                                       {"192.168.0.1", "IP address"},
                                                       {"999.1.1.1", "IP address"},
                                                       {"xn--abc", "begin with `xn--`"},
                                                       {"sthree-abc", "begin with `sthree-`"},
                                                       {"abc-s3alias", "end with `-s3alias`"},
                                                       {"abc--ol-s3", "end with `--ol-s3`"}}) {
    auto refused = refuse_bucket_name(name);
    ASSERT_TRUE(refused) << name;
    EXPECT_TRUE(refused->contains(rule)) << *refused;
  }
}

}  // namespace
}  // namespace kopiur::buckety::s3
