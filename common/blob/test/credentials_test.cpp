#include <fstream>

#include "common/blob/s3/core/credentials_file.hpp"
#include "common/blob/s3/web_identity.hpp"
#include "common/blob/test/scripted_transport.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::blob::test {
namespace {

using s3::read_credentials_file;

std::string joined(std::expected<s3::credentials, std::string> const& read) {
  return read ? read->access_key + "|" + read->secret_key + "|" + read->session_token : read.error();
}

TEST(CredentialsFile, IsReadWhateverItsBlanksAndLineEnds) {
  EXPECT_EQ(joined(read_credentials_file("[default]\naws_access_key_id=A\naws_secret_access_key=s/+=\n")), "A|s/+=|");
  EXPECT_EQ(joined(read_credentials_file("\xEF\xBB\xBF\r\n# mine\r\n [ default ] \r\n  aws_access_key_id =  A \r\n"
                                         "; x = y\r\nAWS_SECRET_ACCESS_KEY\t= s\r\naws_session_token = t\r\nregion = x")),
            "A|s|t");
  EXPECT_EQ(joined(read_credentials_file("[default]\raws_access_key_id=A\raws_secret_access_key=s")), "A|s|");
}

TEST(CredentialsFile, HasProfiles) {
  std::string text =
      "[other]\naws_access_key_id=B\naws_secret_access_key=b\n[default]\naws_access_key_id=A\naws_secret_access_key=a\n"
      "[last]\naws_access_key_id=C\naws_secret_access_key=c\naws_session_token=t\n";
  EXPECT_EQ(joined(read_credentials_file(text)), "A|a|");
  EXPECT_EQ(joined(read_credentials_file(text, "last")), "C|c|t");
  EXPECT_TRUE(read_credentials_file(text, "none").error().contains("no section [none]"));
}

TEST(CredentialsFile, SaysWhatIsMissingAndNoValue) {
  for (std::string text : {"", "arn:aws:iam::123456789012:role/hunter2", "aws_secret_access_key=hunter2", "[default"}) {
    auto why = joined(read_credentials_file(text));
    EXPECT_TRUE(why.contains("[default]") && !why.contains("hunter2")) << why;
  }
  auto why = joined(read_credentials_file("[default]\naws_access_key_id = \naws_secret_access_key = hunter2"));
  EXPECT_EQ(why, "The section [default] of the credentials has no aws_access_key_id. Add it.");
}

std::string answer_of_sts(std::string expiration = "2026-11-21T07:00:00Z") {
  return "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleWithWebIdentityResult>"
         "<Credentials><SessionToken>t/+=</SessionToken><SecretAccessKey>s</SecretAccessKey><Expiration>" +
         expiration +
         "</Expiration><AccessKeyId>ASIA</AccessKeyId></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";
}
std::string sts_error_xml(std::string code, std::string message) {
  return "<ErrorResponse><Error><Type>Sender</Type><Code>" + code + "</Code><Message>" + message +
         "</Message></Error><RequestId>r1</RequestId></ErrorResponse>";
}

class WebIdentity : public ::testing::Test {
 protected:
  WebIdentity() { write("hunter2-token\r\n"); }
  void write(std::string text) { std::ofstream(folder_ / "token") << text; }
  result<s3::temporary_credentials> assume(std::deque<scripted> answers) {
    script lines(std::move(answers));
    still_clock time;
    result<s3::temporary_credentials> got;
    s3::web_identity what{.endpoint = s3::sts_endpoint("eu-west-1"), .role = "arn:aws:iam::1:role/r", .token_file = folder_ / "token"};
    what.session = "one";
    testing::run([&](asio::io_context&) -> awaitable<void> { got = co_await s3::assume_role(time, lines.port(), what); });
    EXPECT_TRUE(lines.is_over());
    heard_ = std::move(lines.requests);
    if (!got) EXPECT_FALSE(got.error().message.contains("hunter2")) << got.error().message;
    return got;
  }
  testing::folder folder_;
  std::vector<heard> heard_;
};

TEST_F(WebIdentity, IsAnAccessKeyForAnHour) {
  auto got = assume({{.body = answer_of_sts()}});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(joined(got->who), "ASIA|s|t/+=");
  EXPECT_EQ(got->expires, instant_from("2026-11-21T07:00:00Z"));
  EXPECT_EQ(heard_[0].request.method + " " + heard_[0].request.where.host, "POST sts.eu-west-1.amazonaws.com");
  EXPECT_EQ(heard_[0].body,
            "Action=AssumeRoleWithWebIdentity&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=one&Version=2011-06-15"
            "&WebIdentityToken=hunter2-token");
  EXPECT_EQ(heard_[0].header("Content-Type"), "application/x-www-form-urlencoded");
}

TEST_F(WebIdentity, ReadsTheTokenEachTime) {
  EXPECT_TRUE(assume({{.body = answer_of_sts()}}));
  write("second");
  EXPECT_TRUE(assume({{.body = answer_of_sts()}}));
  EXPECT_TRUE(heard_[0].body.ends_with("&WebIdentityToken=second"));
  write("\n");
  EXPECT_TRUE(assume({}).error().message.ends_with("is empty."));
  std::filesystem::remove(folder_ / "token");
  EXPECT_TRUE(assume({}).error().message.contains("does not exist. Mount a projected token."));
}

TEST_F(WebIdentity, SaysWhyItIsRefused) {
  auto denied = assume({{.status = 403, .body = sts_error_xml("AccessDenied", "Not authorized for hunter2-token.")}});
  EXPECT_EQ(denied.error().kind, failure::denied);
  EXPECT_EQ(denied.error().message,
            "Assuming the role arn:aws:iam::1:role/r failed: STS answered 403 AccessDenied: Not authorized for ***. Allow it in the role's "
            "trust policy: this cluster's identity provider, the audience sts.amazonaws.com, and the service account.");
  EXPECT_EQ(assume({{.status = 400, .body = sts_error_xml("ExpiredTokenException", "x")}}).error().kind, failure::denied);
  EXPECT_EQ(assume({{.status = 400, .body = sts_error_xml("ValidationError", "x")}}).error().kind, failure::invalid);
  EXPECT_TRUE(assume({{.body = "<html/>"}}).error().message.contains("cannot be used, because it is <html>"));
  EXPECT_TRUE(assume({{.body = answer_of_sts("soon")}}).error().message.contains("is not a time"));
  EXPECT_TRUE(assume({{.body = answer_of_sts("2026-11-21T05:00:00Z")}}).error().message.contains("Set the clock"));
}

TEST_F(WebIdentity, TriesAgainWhatMayPass) {
  scripted busy{.status = 503}, throttled{.status = 400, .body = sts_error_xml("Throttling", "x")}, lost{.no_answer = "gone."};
  EXPECT_TRUE(assume({busy, throttled, lost, {.body = answer_of_sts()}}));
  EXPECT_EQ(assume({lost, lost, lost, lost, lost}).error().kind, failure::unavailable);
}

TEST(Aws, HasADomainOfItsOwnInChina) {
  EXPECT_EQ(s3::sts_endpoint("cn-north-1"), "https://sts.cn-north-1.amazonaws.com.cn");
  EXPECT_EQ(s3::s3_endpoint("us-gov-west-1"), "https://s3.us-gov-west-1.amazonaws.com");
}

TEST(SessionToken, IsSentAndSigned) {
  auto options = options_of();
  options.identity = [] { return s3::credentials{"ASIA", "s", "t/+="}; };
  auto heard =
      with_script({{}}, [](s3::store& store, still_clock&) -> awaitable<void> { EXPECT_TRUE(co_await store.head_bucket("box")); }, options);
  EXPECT_EQ(heard[0].header("x-amz-security-token"), "t/+=");
  EXPECT_TRUE(heard[0].header("Authorization").contains(";x-amz-security-token,")) << heard[0].header("Authorization");
}

}  // namespace
}  // namespace kopiur::blob::test
