#include "common/blob/s3/core/signature.hpp"

#include <gtest/gtest.h>

#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::blob::s3 {
namespace {

std::string const of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

instant at(std::string_view text) { return instant_from(text).value(); }

/// AWS's published test suite of Signature Version 4: credentials, time and scope.
credentials const suite_key{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
signing_scope const suite_scope{at("2015-08-30T12:36:00Z"), "us-east-1", "service"};

signable suite_request(std::string method = "GET", std::string path = "/", parameters query = {}) {
  return {.method = std::move(method),
          .path = std::move(path),
          .query = std::move(query),
          .headers = {{"Host", "example.amazonaws.com"}, {"X-Amz-Date", "20150830T123600Z"}},
          .payload_hash = of_nothing};
}
std::string signature_of(signable const& what) {
  return signature(suite_key, suite_scope, string_to_sign(suite_scope, canonical_request(what)));
}

TEST(Signature, OfGetVanilla) {
  auto what = suite_request();
  EXPECT_EQ(canonical_request(what), "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\n" + of_nothing);
  EXPECT_EQ(string_to_sign(suite_scope, canonical_request(what)),
            "AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n"
            "bb579772317eb040ac9ed261061d46c1f17a8133879d6129b6e1c25292927e63");
  EXPECT_EQ(authorization(suite_key, suite_scope, what),
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, "
            "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
}

TEST(Signature, SortsTheQuery) {
  EXPECT_EQ(signature_of(suite_request("GET", "/", {{"Param2", "value2"}, {"Param1", "value1"}})),
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500")
      << "get-vanilla-query-order-key-case";
  EXPECT_EQ(signature_of(suite_request("GET", "/", {{"Param1", "value2"}, {"Param1", "Value1"}})),
            "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1")
      << "get-vanilla-query-order-key";
  EXPECT_EQ(signature_of(suite_request("GET", "/", {{"Param-3", "Value3"}, {"Param", "Value2"}, {"\u1234", "Value1"}})),
            "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac")
      << "get-vanilla-query-order-encoded";
}

TEST(Signature, OfPathsThatNeedNoNormalising) {
  EXPECT_EQ(signature_of(suite_request("GET", encoded_path("/\u1234"))), "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85")
      << "get-utf8";
  EXPECT_EQ(signature_of(suite_request("GET", encoded_path("/example space/"))),
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741")
      << "get-space";
}

/// The suite's general rule shortens `//example//` and `/example/..`; S3 must not, because they are other keys.
TEST(Signature, DoesNotNormalisePathsAsS3DoesNot) {
  for (std::string path : {"//example//", "/example/..", "/./example", "/example1/example2/../.."}) {
    EXPECT_TRUE(canonical_request(suite_request("GET", path)).starts_with("GET\n" + path + "\n\n"));
    EXPECT_NE(signature_of(suite_request("GET", path)), "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  }
  EXPECT_EQ(signature_of(suite_request("GET", "/example/")), "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84")
      << "get-slashes-normalized";
}

TEST(Signature, OfPosts) {
  EXPECT_EQ(signature_of(suite_request("POST")), "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b") << "post-vanilla";
  auto form = suite_request("POST");
  form.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  form.payload_hash = encoding::hex(sha256("Param1=value1"));
  EXPECT_EQ(form.payload_hash, "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e");
  EXPECT_EQ(signature_of(form), "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a") << "post-x-www-form-urlencoded";
}

TEST(Signature, TrimsAndJoinsHeaders) {
  auto what = suite_request();
  what.headers.emplace_back("My-Header1", "  a   b   c  ");
  what.headers.emplace_back("my-header1", "d");
  EXPECT_TRUE(canonical_request(what).contains("\nmy-header1:a b c,d\n"));
}

/// The examples in the documentation of S3, "Signature Calculations for the Authorization Header".
credentials const documented_key{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"};
signing_scope const documented_scope{at("2013-05-24T00:00:00Z"), "us-east-1"};

std::string documented(signable what) {
  what.headers.emplace_back("Host", "examplebucket.s3.amazonaws.com");
  what.headers.emplace_back("x-amz-date", amz_date(documented_scope.when));
  what.headers.emplace_back("x-amz-content-sha256", what.payload_hash);
  auto text = authorization(documented_key, documented_scope, what);
  return text.substr(text.find("SignedHeaders="));
}

TEST(Signature, OfTheExamplesOfS3) {
  EXPECT_EQ(documented({.path = "/test.txt", .headers = {{"Range", "bytes=0-9"}}, .payload_hash = of_nothing}),
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
      << "GET Object";
  EXPECT_EQ(documented({.method = "PUT",
                        .path = encoded_path("/test$file.text"),
                        .headers = {{"Date", "Fri, 24 May 2013 00:00:00 GMT"}, {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                        .payload_hash = encoding::hex(sha256("Welcome to Amazon S3."))}),
            "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, "
            "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
      << "PUT Object";
  EXPECT_EQ(documented({.query = {{"lifecycle", ""}}, .payload_hash = of_nothing}),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
            "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
      << "GET Bucket Lifecycle";
  EXPECT_EQ(documented({.query = {{"prefix", "J"}, {"max-keys", "2"}}, .payload_hash = of_nothing}),
            "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
            "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
      << "GET Bucket (List Objects)";
}

TEST(Signature, DatesHaveNoFractions) { EXPECT_EQ(amz_date(at("2013-05-24T01:02:03.456Z")), "20130524T010203Z"); }

TEST(Uri, EncodesAllButTheUnreserved) {
  EXPECT_EQ(encoded("a b/c+d%&=~-._\x01\xC3\xA9"), "a%20b%2Fc%2Bd%25%26%3D~-._%01%C3%A9");
  EXPECT_EQ(encoded_path("/a b/*"), "/a%20b/%2A");
  EXPECT_EQ(encoded_query({{"b", ""}, {"a", "2"}, {"a", "1"}, {"B", "x y"}}), "B=x%20y&a=1&a=2&b=");
}

TEST(Uri, DecodesNamesOfListings) {
  EXPECT_EQ(decoded("a+b%2Bc%20d%c3%A9%00"), std::string("a b+c d\xC3\xA9\0", 10));
  EXPECT_EQ(decoded("%"), "%");
  EXPECT_EQ(decoded("%4"), "%4");
  EXPECT_EQ(decoded("%4g%zz"), "%4g%zz");
}

}  // namespace
}  // namespace kopiur::blob::s3
