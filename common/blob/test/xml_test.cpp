#include "common/blob/s3/core/xml.hpp"

#include <gtest/gtest.h>

#include "common/blob/core/http_date.hpp"

namespace kopiur::blob::s3 {
namespace {

TEST(Xml, ReadsAListing) {
  auto read = read_objects(R"(<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
<Contents><Key>a+b%2Fc%01</Key><LastModified>2026-11-21T06:00:00.000Z</LastModified><ETag>&quot;x&quot;</ETag><Size>18446744073709551615</Size></Contents>
<CommonPrefixes><Prefix>d%26/</Prefix></CommonPrefixes><NextContinuationToken>a+b%2F</NextContinuationToken></ListBucketResult>)");
  ASSERT_TRUE(read) << read.error();
  object expected{.key = "a b/c\x01", .size = ~std::uint64_t{0}, .modified = instant_from("2026-11-21T06:00:00Z"), .tag = "\"x\""};
  ASSERT_EQ(read->objects.size(), 1U);
  EXPECT_TRUE(read->objects[0] == expected) << read->objects[0].key;
  EXPECT_EQ(read->prefixes, std::vector<std::string>{"d&/"});
  EXPECT_EQ(read->next, "a+b%2F") << "a token is not encoded";
}

TEST(Xml, DecodesOnlyWhatIsEncoded) {
  auto read =
      read_objects("<ListBucketResult><Contents><Key>a+b%2F &amp;</Key></Contents><Contents><Key> </Key></Contents></ListBucketResult>");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->objects[0].key, "a+b%2F &");
  EXPECT_EQ(read->objects[1].key, " ");
}

TEST(Xml, RefusesAPageThatHasANextOneNobodyKnowsWhere) {
  EXPECT_TRUE(read_objects("<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>").error().contains("the next one begins"));
  EXPECT_FALSE(read_versions("<ListVersionsResult><IsTruncated>true</IsTruncated></ListVersionsResult>"));
  EXPECT_FALSE(read_uploads("<ListMultipartUploadsResult><IsTruncated>true</IsTruncated></ListMultipartUploadsResult>"));
}

TEST(Xml, RefusesWhatItDoesNotExpect) {
  EXPECT_TRUE(read_objects("").error().starts_with("it is not XML"));
  EXPECT_TRUE(read_objects("<html><body>hello</body></html>").error().starts_with("it is <html>, not <ListBucketResult>"));
  EXPECT_FALSE(read_removals("<ListBucketResult/>"));
  EXPECT_FALSE(read_versioning("<VersioningConfiguration><Status>Maybe</Status></VersioningConfiguration>"));
}

TEST(Xml, ReadsVersionsAndMarkersInTheirOrder) {
  auto read = read_versions(
      "<ListVersionsResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextKeyMarker>k%0A2</NextKeyMarker>"
      "<NextVersionIdMarker>v3</NextVersionIdMarker>"
      "<DeleteMarker><Key>k</Key><VersionId>v2</VersionId><IsLatest>true</IsLatest></DeleteMarker>"
      "<Version><Key>k</Key><VersionId>v1</VersionId><IsLatest>false</IsLatest><Size>3</Size></Version></ListVersionsResult>");
  ASSERT_TRUE(read) << read.error();
  ASSERT_EQ(read->versions.size(), 2U);
  EXPECT_TRUE(read->versions[0].delete_marker && read->versions[0].latest && read->versions[0].version == "v2");
  EXPECT_TRUE(!read->versions[1].delete_marker && !read->versions[1].latest && read->versions[1].content.size == 3);
  EXPECT_EQ(split_cursor(read->next), std::pair(std::string("v3"), std::string("k\n2")));
}

TEST(Xml, ReadsErrors) {
  auto read = read_error_document(
      "<Error><Code>NoSuchKey</Code><Message>It is gone.</Message><RequestId>r1</RequestId><Region>eu-west-1</Region></Error>");
  EXPECT_EQ(read.code + "|" + read.message + "|" + read.request + "|" + read.region, "NoSuchKey|It is gone.|r1|eu-west-1");
  EXPECT_EQ(read_error_document("<html/>").code, "");
  auto failed = read_removals(
      "<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>b&lt;</Key><VersionId>v</VersionId>"
      "<Code>AccessDenied</Code><Message>No.</Message></Error></DeleteResult>");
  ASSERT_TRUE(failed);
  ASSERT_EQ(failed->size(), 1U);
  EXPECT_EQ((*failed)[0].name, (object_name{"b<", "v"}));
  EXPECT_EQ((*failed)[0].code, "AccessDenied");
}

TEST(Xml, WritesWhatMustBeEscaped) {
  EXPECT_EQ(removals_xml({{"a<b>&\"'é", ""}, {" ", "v"}}),
            "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet><Object><Key>a&lt;b&gt;&amp;\"'é</Key></Object>"
            "<Object><Key> </Key><VersionId>v</VersionId></Object></Delete>");
}

TEST(Xml, KnowsWhichKeysItCannotHold) {
  for (std::string key : {"a b", "é+%&", "\U0001F600"}) EXPECT_TRUE(fits_xml(key)) << key;
  for (std::string key : {"a\nb", "\t", "\r", "\x01", "\x7F", "\xFF", "\xEF\xBF\xBF"}) EXPECT_FALSE(fits_xml(key)) << key;
  EXPECT_FALSE(fits_xml(std::string("a\0b", 3)));
}

TEST(Lifecycle, ReadsBackWhatItWrites) {
  std::vector<lifecycle_rule> rules{{.id = "one", .prefix = "a & b/", .expiration_days = 7},
                                    {.id = "two", .abort_uploads_days = 1, .enabled = false}};
  auto text = lifecycle_xml(rules);
  ASSERT_TRUE(text);
  auto read = read_lifecycle(*text);
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == rules) << *text;
}

TEST(Lifecycle, LeavesRulesOfOthersAsTheyAre) {
  std::string rule =
      "<Rule><ID>x</ID><Filter><And><Prefix>p</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter>"
      "<Status>Enabled</Status><Transition><Days>30</Days><StorageClass>GLACIER</StorageClass></Transition></Rule>";
  auto read = read_lifecycle("<LifecycleConfiguration>" + rule + "</LifecycleConfiguration>");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ((*read)[0].verbatim, rule);
  EXPECT_TRUE(lifecycle_xml(*read)->contains(rule));
  EXPECT_FALSE(lifecycle_xml({{.id = "x", .verbatim = "hello"}}));
}

TEST(Lifecycle, ReadsTheOldFormWithoutAFilter) {
  auto read = read_lifecycle(
      "<LifecycleConfiguration><Rule><ID>x</ID><Prefix>p/</Prefix><Status>Enabled</Status><Expiration><Days>3</Days>"
      "</Expiration></Rule></LifecycleConfiguration>");
  EXPECT_TRUE(read->at(0) == (lifecycle_rule{.id = "x", .prefix = "p/", .expiration_days = 3}));
}

TEST(HttpDate, IsReadInItsOneForm) {
  EXPECT_EQ(http_date("Sun, 06 Nov 1994 08:49:37 GMT"), instant_from("1994-11-06T08:49:37Z"));
  EXPECT_EQ(to_http_date(instant_from("1994-11-06T08:49:37.999Z").value()), "Sun, 06 Nov 1994 08:49:37 GMT");
  for (auto* wrong : {"", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 66 Nov 1994 08:49:37 GMT"})
    EXPECT_FALSE(http_date(wrong)) << wrong;
}

}  // namespace
}  // namespace kopiur::blob::s3
