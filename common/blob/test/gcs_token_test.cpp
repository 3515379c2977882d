#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "common/blob/core/rsa.hpp"
#include "common/blob/gcs/access_token.hpp"
#include "common/blob/test/gcs_stand_in.hpp"
#include "common/json/value.hpp"

namespace kopiur::blob::test {
namespace {

using namespace std::chrono_literals;

/// A new key of a service account, which exists only in this process.
class rsa_key {
 public:
  explicit rsa_key(EVP_PKEY* made = ::EVP_RSA_gen(2048)) : key_(made, &::EVP_PKEY_free) {}
  std::string pem(EVP_CIPHER const* cipher = nullptr) const {
    std::unique_ptr<BIO, decltype(&::BIO_free)> text(::BIO_new(::BIO_s_mem()), &::BIO_free);
    std::string password = "hunter2";
    ::PEM_write_bio_PKCS8PrivateKey(text.get(), key_.get(), cipher, cipher ? password.data() : nullptr, cipher ? 7 : 0, nullptr, nullptr);
    char* bytes = nullptr;
    auto length = BIO_get_mem_data(text.get(), &bytes);
    return {bytes, static_cast<std::size_t>(length)};
  }
  bool verifies(std::string const& text, std::string const& signature) const {
    std::unique_ptr<EVP_MD_CTX, decltype(&::EVP_MD_CTX_free)> context(::EVP_MD_CTX_new(), &::EVP_MD_CTX_free);
    auto bytes = [](std::string const& from) { return reinterpret_cast<unsigned char const*>(from.data()); };
    return ::EVP_DigestVerifyInit(context.get(), nullptr, ::EVP_sha256(), nullptr, key_.get()) == 1 &&
           ::EVP_DigestVerify(context.get(), bytes(signature), signature.size(), bytes(text), text.size()) == 1;
  }

 private:
  std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key_;
};

rsa_key const& our_key() {
  static rsa_key const key;
  return key;
}

gcs::service_account account(std::string token_uri = "https://oauth2.googleapis.com/token") {
  return {.email = "backup@p.iam.gserviceaccount.com", .key_id = "k1", .key = our_key().pem(), .token_uri = std::move(token_uri)};
}

scripted granted(std::string token) { return {.body = R"({"access_token":")" + token + R"(","expires_in":3600,"token_type":"Bearer"})"}; }

struct fetched {
  std::vector<result<std::string>> tokens;
  std::vector<heard> requests;
};

using make_source = std::function<gcs::token_source(clock&, transport)>;

/// Asks for a token once after each pause.
fetched fetch(make_source make, std::deque<scripted> answers, std::vector<duration> pauses = {0ms}) {
  script lines(std::move(answers));
  still_clock time;
  fetched out;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    auto source = make(time, lines.port());
    for (auto pause : pauses) {
      co_await time.sleep_for(pause);
      out.tokens.push_back(co_await source());
    }
  });
  EXPECT_TRUE(lines.is_over());
  out.requests = std::move(lines.requests);
  return out;
}

make_source of_account(gcs::service_account who = account()) {
  return [who](clock& time, transport through) { return gcs::tokens_of(time, std::move(through), who); };
}
make_source of_metadata(std::string host = "metadata.google.internal") {
  return [host](clock& time, transport through) { return gcs::metadata_tokens(time, std::move(through), host); };
}

std::string decoded_part(std::string part) {
  std::ranges::replace(part, '-', '+');
  std::ranges::replace(part, '_', '/');
  while (part.size() % 4 != 0) part += '=';
  return encoding::from_base64(part).value();
}

TEST(GcsToken, IsForAnAssertionThatTheKeySigned) {
  auto got = fetch(of_account(), {granted("abc")});
  EXPECT_EQ(got.tokens[0].value(), "abc");
  auto& asked = got.requests.at(0);
  EXPECT_EQ(asked.request.method + asked.request.where.host + asked.request.where.target, "POSToauth2.googleapis.com/token");
  EXPECT_TRUE(asked.request.where.tls);
  std::string begin = "assertion=", end = "&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer";
  ASSERT_TRUE(asked.body.starts_with(begin) && asked.body.ends_with(end)) << asked.body;
  auto assertion = asked.body.substr(begin.size(), asked.body.size() - begin.size() - end.size());
  auto dot = assertion.rfind('.');
  EXPECT_TRUE(our_key().verifies(assertion.substr(0, dot), decoded_part(assertion.substr(dot + 1))));
  auto first = assertion.find('.');
  EXPECT_EQ(decoded_part(assertion.substr(0, first)), R"({"alg":"RS256","typ":"JWT","kid":"k1"})");
  auto claims = json::parse(decoded_part(assertion.substr(first + 1, dot - first - 1))).value();
  EXPECT_EQ(claims.text("iss"), "backup@p.iam.gserviceaccount.com");
  EXPECT_EQ(claims.text("aud"), "https://oauth2.googleapis.com/token");
  EXPECT_EQ(claims.text("scope"), "https://www.googleapis.com/auth/devstorage.read_write");
  auto now = instant_from("2026-11-21T06:00:00Z").value().time_since_epoch() / 1s;
  EXPECT_EQ(*claims.find("iat")->as_int(), now - 10);
  EXPECT_EQ(*claims.find("exp")->as_int(), now - 10 + 3600) << "Google refuses more than an hour";
}

TEST(GcsToken, IsKeptUntilShortlyBeforeItsEnd) {
  auto got = fetch(of_account(), {granted("first"), granted("second")}, {0ms, 54min, 1min});
  EXPECT_EQ(got.tokens[1].value(), "first");
  EXPECT_EQ(got.tokens[2].value(), "second");
}

TEST(GcsToken, IsAskedForNowhereElse) {
  for (std::string uri :
       {"http://oauth2.googleapis.com/token", "https://evil.example/token", "https://googleapis.com.evil.example/token",
        "https://evilgoogleapis.com/token", "https://10.0.0.1/token", "http://169.254.169.254/token", "https://localhost/",
        "https://evil.example?.googleapis.com/", "https://evil.example\\.googleapis.com/token", "oauth2.googleapis.com"}) {
    auto refused = fetch(of_account(account(uri)), {}).tokens[0];
    EXPECT_EQ(refused.error().kind, failure::invalid) << uri;
    EXPECT_TRUE(refused.error().message.contains("the token_uri of the credentials is not")) << refused.error().message;
  }
  for (std::string uri : {"http://127.0.0.1:1/token", "http://[::1]:1/token", "https://OAuth2.googleapis.com/token"})
    EXPECT_TRUE(fetch(of_account(account(uri)), {granted("abc")}).tokens[0]) << uri;
}

TEST(GcsToken, SaysWhyItIsRefused) {
  scripted wrong{.status = 400, .body = R"({"error":"invalid_grant","error_description":"Invalid JWT Signature."})"};
  auto failed = fetch(of_account(), {wrong}).tokens[0].error();
  EXPECT_EQ(failed.kind, failure::denied);
  EXPECT_EQ(
      failed.message,
      "Getting a token for the service account backup@p.iam.gserviceaccount.com failed: Google answered 400 invalid_grant: Invalid JWT "
      "Signature. Check that the service account and its key still exist, and that the clock of this machine is right.");
  EXPECT_TRUE(fetch(of_account(), {{.status = 503}, {.no_answer = "cut."}, granted("abc")}).tokens[0]);
  EXPECT_TRUE(fetch(of_account(), {{.body = "<html/>"}}).tokens[0].error().message.contains("it has no access_token."));
  EXPECT_TRUE(fetch(of_account(), {granted("a\\r\\nb")}).tokens[0].error().message.contains("holds a blank or a line break."));
}

TEST(GcsToken, IsNotMixedIntoMessages) {
  std::string sent;
  auto echo = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
    std::string form(what.body.length, 0);
    co_await what.body.read(asio::buffer(form));
    sent = form.substr(10, form.find('&') - 10);
    script once({{.status = 400, .body = R"({"error_description":"bad: )" + sent + "\"}"}});
    co_return co_await once.port()({.where = what.where});
  };
  still_clock time;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    auto failed = (co_await gcs::tokens_of(time, echo, account())()).error();
    EXPECT_TRUE(failed.message.contains("bad: ***.")) << failed.message;
  });
  EXPECT_GT(sent.size(), 300U) << "longer than what a message repeats of an answer";
}

TEST(GcsToken, NeedsAnRsaKey) {
  auto who = account();
  std::string encrypted = our_key().pem(::EVP_aes_256_cbc()), curve = rsa_key(::EVP_EC_gen("P-256")).pem();
  ASSERT_TRUE(encrypted.contains("ENCRYPTED") && curve.contains("PRIVATE KEY"));
  for (auto& key : {std::string("hunter2"), our_key().pem().substr(0, 400), encrypted, curve}) {
    who.key = key;
    auto failed = fetch(of_account(who), {}).tokens[0].error();
    EXPECT_TRUE(failed.message.contains("a private_key that is not an RSA key in PEM.")) << failed.message;
    EXPECT_FALSE(failed.message.contains("hunter2"));
  }
}

TEST(GcsToken, ComesFromTheMetadataServer) {
  auto got = fetch(of_metadata(), {{.status = 503}, granted("abc")}, {0ms, 1min});
  EXPECT_EQ(got.tokens[1].value(), "abc");
  auto& asked = got.requests[1];
  EXPECT_EQ(asked.request.method + " " + asked.request.where.host + asked.request.where.target,
            "GET metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token");
  EXPECT_EQ(asked.header("Metadata-Flavor"), "Google");
  EXPECT_FALSE(asked.request.body.read);
  EXPECT_EQ(fetch(of_metadata("127.0.0.1:8099"), {granted("abc")}).requests[0].request.where.port, "8099");
  auto failed = fetch(of_metadata(), {{.status = 404, .body = "no such account"}}).tokens[0].error();
  EXPECT_EQ(failed.kind, failure::absent);
  EXPECT_TRUE(failed.message.contains("answered 404. Give the pod a workload identity")) << failed.message;
  EXPECT_TRUE(fetch(of_metadata("a:b"), {}).tokens[0].error().message.contains("Correct GCE_METADATA_HOST."));
}

std::string text_of(std::expected<gcs::service_account, std::string> const& read) {
  return read ? read->email + "|" + read->key_id + "|" + read->key + "|" + read->token_uri : read.error();
}

TEST(GcsCredentials, AreTheKeyOfAServiceAccount) {
  using gcs::read_credentials;
  EXPECT_EQ(text_of(read_credentials(
                R"({"type":"service_account","client_email":"a@b","private_key_id":"i","private_key":"p","token_uri":"u"})")),
            "a@b|i|p|u");
  for (std::string text : {"", "[]", "{}", R"({"type":"authorized_user","refresh_token":"hunter2"})",
                           R"({"type":"service_account","private_key":"hunter2","token_uri":"u"})",
                           R"({"type":"service_account","client_email":"a\nb","private_key":"hunter2","token_uri":"u"})"}) {
    auto why = text_of(read_credentials(text));
    EXPECT_TRUE(why.starts_with("The credentials ") && why.ends_with("Give the JSON key of a service account of Google Cloud.")) << why;
    EXPECT_FALSE(why.contains("hunter2"));
  }
  EXPECT_TRUE(text_of(read_credentials(R"({"type":"external_account"})")).contains("external_account, which is not supported."));
}

}  // namespace
}  // namespace kopiur::blob::test
