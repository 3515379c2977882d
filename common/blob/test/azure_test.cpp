#include "common/blob/azure/access_token.hpp"
#include "common/blob/azure/block_blobs.hpp"
#include "common/blob/azure/core/answers.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/test/scripted_transport.hpp"
#include "common/blob/test/text_content.hpp"
#include "common/encoding/base64.hpp"

namespace kopiur::blob::test {
namespace {

std::string const ten = "0123456789", four = "0123";
std::string digest_of(std::string const& text) { return encoding::base64(md5(text)); }

azure::options account(std::string endpoint = "https://acct.blob.core.windows.net") {
  azure::options out{.endpoint = std::move(endpoint), .account = "acct"};
  out.key = "hunter2-key", out.block_size = 4;
  return out;
}
scripted refused(int status, std::string code) {
  return {.status = status,
          .body = "\xEF\xBB\xBF<?xml version=\"1.0\"?><Error><Code>" + code +
                  "</Code><Message>They say so.\nRequestId:r1\nTime:x</Message></Error>"};
}
scripted head(std::string size, std::string digest) {
  return {.fields = {{"content-length", size}, {"content-md5", digest}, {"etag", "\"t\""}}};
}

result<stored> put(std::string const& text, std::deque<scripted> answers, std::vector<heard>* told = nullptr,
                   azure::options options = account(), put_options how_stored = {.only_new = true}) {
  script lines(std::move(answers));
  still_clock time;
  result<stored> ended;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    azure::block_blobs blobs(time, lines.port(), options);
    ended = co_await blobs.put_large("box", "a/k 1", content(text, 3), how_stored);
  });
  EXPECT_TRUE(lines.is_over());
  if (told) *told = std::move(lines.requests);
  if (!ended) EXPECT_TRUE(ended.error().message.ends_with('.') && !ended.error().message.contains("hunter2")) << ended.error().message;
  return ended;
}

TEST(Azure, SignsAsDocumented) {
  azure::signable what{.path = "/mycontainer",
                       .query = {{"timeout", "20"}, {"comp", "metadata"}, {"restype", "container"}},
                       .headers = {{"x-ms-version", "2015-02-21"}, {"x-ms-date", "Fri, 26 Jun 2015 23:39:12 GMT"}}};
  EXPECT_EQ(azure::string_to_sign("myaccount", what),
            "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n"
            "/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20");
  what.method = "PUT", what.body_length = 7, what.headers.emplace_back("Content-MD5", "m"), what.headers.emplace_back("If-None-Match", "*");
  EXPECT_TRUE(azure::string_to_sign("a", what).starts_with("PUT\n\n\n7\nm\n\n\n\n\n*\n\n\nx-ms-date:"));
}

TEST(Azure, WritesBlocksThatTheStoreChecks) {
  std::vector<heard> heard;
  auto ended = put(ten, {{.status = 201}, {.status = 201}, {.status = 201}, {.status = 201, .fields = {{"etag", "\"t\""}}}}, &heard,
                   account(), {.only_new = true, .content_type = "a/b", .encryption_key = "scope1"});
  EXPECT_EQ(ended.value().tag, "\"t\"");
  EXPECT_TRUE(heard[1].request.where.target.starts_with("/box/a/k%201?blockid=") && heard[1].request.where.target.ends_with("&comp=block"));
  EXPECT_EQ(heard[1].body, "4567");
  EXPECT_EQ(heard[1].header("Content-MD5"), digest_of("4567"));
  EXPECT_EQ(heard[1].header("If-None-Match"), "");
  EXPECT_EQ(heard[3].request.where.target, "/box/a/k%201?comp=blocklist");
  EXPECT_EQ(heard[3].header("If-None-Match") + heard[3].header("x-ms-blob-content-type"), "*a/b");
  EXPECT_EQ(heard[3].header("x-ms-blob-content-md5"), digest_of(ten));
  for (auto& each : heard) EXPECT_EQ(each.header("x-ms-encryption-scope"), "scope1");
  for (auto& each : heard) EXPECT_TRUE(each.header("Authorization").starts_with("SharedKey acct:"));
  EXPECT_EQ(heard[0].header("x-ms-date"), "Sat, 21 Nov 2026 06:00:00 GMT");
}

TEST(Azure, NamesBlocksApart) {
  EXPECT_EQ(encoding::from_base64(azure::block_id("u", 7)), "u-00007");
  EXPECT_EQ(azure::block_id("u", 1).size(), azure::block_id("u", 10'000).size());
  std::vector<heard> first, second;
  std::deque<scripted> created(4, {.status = 201});
  put(ten, created, &first), put(ten, created, &second);
  EXPECT_NE(first[0].request.where.target, second[0].request.where.target) << "two uploads to one name";
}

TEST(Azure, WritesASmallObjectByOneRequest) {
  std::vector<heard> heard;
  EXPECT_TRUE(put(four, {{.status = 201}}, &heard));
  EXPECT_EQ(heard[0].request.method + heard[0].request.where.target, "PUT/box/a/k%201");
  EXPECT_EQ(heard[0].header("x-ms-blob-type") + heard[0].header("If-None-Match"), "BlockBlob*");
}

TEST(Azure, ConflictsWithAnObjectThatExists) {
  auto ended = put(four, {refused(409, "BlobAlreadyExists")});
  EXPECT_EQ(ended.error().kind, failure::conflict);
  EXPECT_EQ(ended.error().message, "Writing the object box/a/k 1 failed: the store answered 409 BlobAlreadyExists: They say so.");
  EXPECT_EQ(put(ten, {{}, {}, {}, {.status = 412}}).error().kind, failure::conflict);
}

TEST(Azure, ComparesTheObjectAfterALostAnswer) {
  scripted lost{.no_answer = "gone."}, exists = refused(409, "BlobAlreadyExists");
  EXPECT_EQ(put(ten, {{}, {}, {}, lost, exists, head("10", digest_of(ten))}).value().tag, "\"t\"");
  EXPECT_EQ(put(ten, {{}, {}, {}, lost, exists, head("10", digest_of("other"))}).error().kind, failure::conflict);
  EXPECT_EQ(put(four, {lost, exists, head("5", digest_of(four))}).error().kind, failure::conflict);
  EXPECT_TRUE(put(four, {lost, exists, {.status = 403}}).error().message.contains("is unknown: Comparing the object"));
}

TEST(Azure, SaysWhatToDo) {
  EXPECT_TRUE(put(four, {refused(404, "ContainerNotFound")}).error().message.contains("Create the container"));
  auto role = put(four, {{.status = 403, .fields = {{"x-ms-error-code", "AuthorizationPermissionMismatch"}}}});
  EXPECT_TRUE(role.error().message.contains("the role Storage Blob Data Contributor")) << role.error().message;
  EXPECT_TRUE(put(four, {{.status = 503}, refused(500, "InternalError"), {.status = 201}}));
  EXPECT_EQ(put(ten, {{}, refused(400, "InvalidBlockList")}).error().kind, failure::invalid);
}

TEST(Azure, SendsATokenOnlyOverTls) {
  auto options = account();
  options.key.clear(), options.token = "hunter2-token";
  std::vector<heard> heard;
  EXPECT_TRUE(put(four, {{.status = 201}}, &heard, options));
  EXPECT_EQ(heard[0].header("Authorization"), "Bearer hunter2-token");
  options.endpoint = "http://127.0.0.1:1";
  EXPECT_TRUE(put(four, {}, nullptr, options).error().message.contains("Use https."));
}

result<std::string> get(std::deque<scripted> answers, std::vector<heard>* told = nullptr) {
  script lines(std::move(answers));
  still_clock time;
  result<std::string> got;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    azure::block_blobs blobs(time, lines.port(), account());
    auto content = co_await blobs.get("box", "a/k 1");
    got = content ? result<std::string>("") : std::unexpected(content.error());
    std::string piece(3, 0);
    for (bool more = got.has_value(); more;) {
      auto length = co_await content->read(asio::buffer(piece));
      more = length && *length > 0;
      got = length ? result<std::string>(*got + piece.substr(0, *length)) : std::unexpected(length.error());
    }
  });
  EXPECT_TRUE(lines.is_over());
  if (told) *told = std::move(lines.requests);
  return got;
}

TEST(Azure, ReadsAnObject) {
  std::vector<heard> heard;
  scripted whole{.body = ten, .fields = {{"content-length", "10"}}};
  EXPECT_EQ(get({{.status = 503}, whole}, &heard).value(), ten);
  EXPECT_EQ(heard[1].request.method + heard[1].request.where.target, "GET/box/a/k%201");
  EXPECT_TRUE(heard[1].header("Authorization").starts_with("SharedKey acct:"));
  EXPECT_FALSE(heard[1].request.body.read) << "a GET has no body";
  EXPECT_EQ(get({refused(404, "BlobNotFound")}).error().kind, failure::absent);
  auto short_one = get({{.body = four, .fields = {{"content-length", "10"}}}});
  EXPECT_EQ(short_one ? *short_one : short_one.error().message, "Reading the object box/a/k 1 failed: The answer ended too early.");
}

std::string text_of(std::expected<azure::credentials, std::string> const& read) {
  if (!read) return read.error();
  return read->who.tenant + "|" + read->who.client + "|" + read->who.secret + "|" + read->account_key;
}

TEST(AzureCredentials, AreJsonOrLines) {
  using azure::read_credentials;
  EXPECT_EQ(text_of(read_credentials(R"({"subscriptionId":"s","tenantId":"t","clientId":"c","clientSecret":"x"})")), "t|c|x|");
  EXPECT_EQ(text_of(read_credentials("AZURE_TENANT_ID=t\r\nAZURE_CLIENT_ID = c\r\nAZURE_CLIENT_SECRET=\"x=\"\n")), "t|c|x=|");
  EXPECT_EQ(text_of(read_credentials("AZURE_STORAGE_ACCOUNT_ACCESS_KEY=a2V5\n")), "|||key");
  EXPECT_TRUE(text_of(read_credentials("AZURE_STORAGE_ACCOUNT_ACCESS_KEY=hunter2!")).starts_with("AZURE_STORAGE_ACCOUNT_ACCESS_KEY of"));
  for (std::string text : {"", "{}", "{\"clientSecret\":\"hunter2\"}", "AZURE_CLIENT_SECRET=hunter2"})
    EXPECT_TRUE(text_of(read_credentials(text)).starts_with("The credentials are not complete.")) << text;
}

result<std::string> token(std::deque<scripted> answers, azure::application who, std::vector<heard>* told = nullptr) {
  script lines(std::move(answers));
  still_clock time;
  result<std::string> got;
  testing::run([&](asio::io_context&) -> awaitable<void> { got = co_await azure::fetch_token(time, lines.port(), {}, who); });
  EXPECT_TRUE(lines.is_over());
  if (told) *told = std::move(lines.requests);
  return got;
}

TEST(AzureToken, IsForASecretOrATokenOfKubernetes) {
  std::vector<heard> heard;
  scripted granted{.body = R"({"token_type":"Bearer","expires_in":3599,"access_token":"abc"})"};
  EXPECT_EQ(token({granted}, {"t", "c", "s&"}, &heard).value(), "abc");
  EXPECT_EQ(heard[0].request.where.host + heard[0].request.where.target, "login.microsoftonline.com/t/oauth2/v2.0/token");
  EXPECT_EQ(heard[0].body, "client_id=c&client_secret=s%26&grant_type=client_credentials&scope=https%3A%2F%2Fstorage.azure.com%2F.default");
  EXPECT_TRUE(token({{.status = 503}, granted}, {.tenant = "t", .client = "c", .assertion = "jwt"}, &heard));
  EXPECT_TRUE(heard[1].body.starts_with("client_assertion=jwt&client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3A")) << heard[1].body;
}

TEST(AzureToken, SaysWhyItIsRefused) {
  scripted wrong{.status = 401, .body = R"({"error":"invalid_client","error_description":"AADSTS7000215: Invalid hunter2."})"};
  auto got = token({wrong}, {"t", "c", "hunter2"});
  EXPECT_EQ(got.error().kind, failure::denied);
  EXPECT_TRUE(
      got.error().message.starts_with("Getting a token for the client c failed: Entra ID answered 401 invalid_client: AADSTS7000215: "
                                      "Invalid ***. Check the client's secret"))
      << got.error().message;
  EXPECT_TRUE(token({{.body = "<html/>"}}, {"t", "c", "s"}).error().message.contains("it has no access_token"));
}

}  // namespace
}  // namespace kopiur::blob::test
