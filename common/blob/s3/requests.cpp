#include "common/blob/s3/requests.hpp"

#include <boost/asio.hpp>
#include <random>

#include "common/blob/core/http_date.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::s3 {

namespace asio = boost::asio;

namespace {

constexpr std::size_t longest_error = 256 << 10;
constexpr std::size_t longest_document = 16 << 20;  // a page of 1000 keys of 1024 bytes, each byte encoded as three, and twice that
constexpr std::uint64_t asks_from = 256 << 10;      // a smaller body costs less than a round trip
constexpr std::string_view hash_of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

void replace_all(std::string& text, std::string const& what) {
  if (what.empty()) return;
  for (std::size_t found = 0; (found = text.find(what, found)) != text.npos;) text.replace(found, what.size(), "***");
}

duration seconds_in(std::string_view retry_after) {
  return std::chrono::seconds(std::clamp(encoding::whole_number<int>(retry_after).value_or(0), 0, 3600));
}

/// Another request for the same object was under way, and the store wants this one again.
bool is_race(error const& failed) { return failed.code == "ConditionalRequestConflict"; }

}  // namespace

/// The result of one attempt.
struct requests::attempt {
  std::optional<http_answer> answer{};  ///< with status 2xx
  std::string text{};                   ///< its body, if it was requested
  error failed{};
  duration retry_after{0};
  std::optional<std::string> region{};  ///< where the bucket is instead
};

requests::requests(clock& time, transport transport, options options)
    : time_(time), transport_(std::move(transport)), options_(std::move(options)), luck_(std::to_string(std::random_device{}())) {
  auto where = parse_endpoint(options_.endpoint);
  if (!where) throw std::runtime_error(where.error());
  endpoint_ = std::move(*where);
}

std::string requests::region_of(std::string const& bucket) const {
  auto known = regions_.find(bucket);
  return known == regions_.end() ? options_.region : known->second;
}

http::streamed_request requests::prepare(request& what) const {
  auto region = region_of(what.bucket);
  auto home = region == options_.region ? endpoint_ : in_region(endpoint_, region);
  auto where = locate(home, options_.addressing, what.bucket, what.key);
  auto who = options_.identity();
  signable sign{.method = what.method, .path = where.target, .query = what.query, .headers = what.headers};
  sign.payload_hash = !what.body.read ? hash_of_nothing : what.payload_hash.empty() ? unsigned_payload : what.payload_hash;
  signing_scope scope{.when = time_.now(), .region = region};
  sign.headers.emplace_back("Host", http::host_header(where));
  sign.headers.emplace_back("x-amz-date", amz_date(scope.when));
  sign.headers.emplace_back("x-amz-content-sha256", sign.payload_hash);
  if (!who.session_token.empty()) sign.headers.emplace_back("x-amz-security-token", who.session_token);
  auto proof = authorization(who, scope, sign);
  std::erase_if(sign.headers, [](auto const& each) { return each.first == "Host"; });  // the connection adds it
  sign.headers.emplace_back("Authorization", proof);
  if (!what.query.empty()) where.target += "?" + encoded_query(what.query);
  return {.method = what.method,
          .where = std::move(where),
          .headers = std::move(sign.headers),
          .body = what.body,
          .asks_first = what.body.length >= asks_from,
          .repeatable = !what.once,
          .limits = options_.limits,
          .trusted = options_.trusted};
}

error requests::malformed(std::string const& action, std::string const& why) {
  return {.kind = failure::other, .message = action + " failed: the store's answer cannot be used, because " + why + "."};
}

std::string requests::without_secrets(std::string text) const {
  auto who = options_.identity();
  for (auto* each : {&who.secret_key, &who.session_token, &who.access_key}) replace_all(text, *each);
  return text;
}

requests::attempt requests::refused(refusal why, request const& what) const {
  attempt out;
  out.failed = classify(why, what.action);
  out.failed.message = without_secrets(out.failed.message);
  out.region = other_region(why, region_of(what.bucket));
  return out;
}

requests::attempt requests::unanswered(request const& what, std::string const& why) const {
  attempt out;
  out.failed = {.kind = failure::unavailable, .message = without_secrets(what.action + " failed: " + why)};
  return out;
}

asio::awaitable<requests::attempt> requests::judge(http_answer answer, request const& what) {
  refusal why{.status = answer.head.status,
              .region = std::string(answer.head["x-amz-bucket-region"]),
              .request = std::string(answer.head["x-amz-request-id"]),
              .ours = time_.now(),
              .theirs = http_date(answer.head["date"])};
  if (auto text = co_await text_of(answer, longest_error)) why.document = read_error_document(*text);
  auto out = refused(std::move(why), what);
  out.retry_after = seconds_in(answer.head["retry-after"]);
  co_return out;
}

/// `whole`: the body is read too; an answer that breaks off is none.
asio::awaitable<requests::attempt> requests::try_once(request& what, bool whole) {
  auto answer = co_await transport_(prepare(what));
  if (!answer) co_return unanswered(what, answer.error());
  auto status = answer->head.status;
  if (status / 100 != 2) co_return co_await judge(std::move(*answer), what);
  attempt out;
  if (whole) {
    auto text = co_await text_of(*answer, longest_document);
    if (!text) co_return unanswered(what, text.error());
    if (auto hidden = read_error_document(*text); !hidden.code.empty())
      co_return refused({.status = status, .document = std::move(hidden)}, what);
    out.text = std::move(*text);
  }
  out.answer = std::move(*answer);
  co_return out;
}

/// Own pauses double, with jitter. A longer one that the store asks for is kept, up to the limit.
duration requests::pause_after(attempt const& failed, int number, request const& what) const {
  auto own = backoff(static_cast<unsigned>(number), options_.pauses, luck_ + what.bucket + "/" + what.key);
  return std::min(std::max(own, failed.retry_after), options_.pauses.limit);
}

std::string requests::problem_of(request const& what) const {
  auto who = options_.identity();
  if (who.access_key.empty() || who.secret_key.empty()) return "there is no access key, or no secret key.";
  for (auto* each : {&who.access_key, &who.secret_key, &who.session_token})
    if (std::ranges::any_of(*each, [](unsigned char c) { return c <= 0x20 || c >= 0x7F; }))
      return "the access key, the secret key or the session token holds a line break, a space or another character that none has. Write it "
             "again.";
  return bucket_problem(what.bucket);
}

awaitable_result<requests::attempt> requests::repeat(request what, bool whole) {
  if (auto wrong = problem_of(what); !wrong.empty())
    co_return std::unexpected(error{.kind = failure::invalid, .message = what.action + " failed: " + wrong});
  bool touched = false, moved = false, unsure = false;
  if (auto read = what.body.read) what.body.read = [read, &touched](asio::mutable_buffer buffer) { return touched = true, read(buffer); };
  for (int number = 1;; ++number) {
    auto done = co_await try_once(what, whole);
    if (done.answer) co_return done;
    done.failed.repeated = unsure;
    unsure = unsure || may_have_taken_effect(done.failed);
    bool follows = done.region && !moved;
    bool may_pass = (done.failed.kind == failure::unavailable || is_race(done.failed)) && number < options_.attempts;
    if ((!follows && !may_pass) || (touched && !what.body.rewind)) co_return std::unexpected(std::move(done.failed));
    if (std::exchange(touched, false)) what.body.rewind();
    if (follows)
      moved = true, regions_[what.bucket] = *done.region;
    else
      co_await time_.sleep_for(pause_after(done, number, what));
  }
}

awaitable_result<http_answer> requests::ask(request what) {
  auto done = co_await repeat(std::move(what), false);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(*done->answer);
}

awaitable_result<document> requests::read(request what) {
  auto done = co_await repeat(std::move(what), true);
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return document{.head = std::move(done->answer->head), .text = std::move(done->text)};
}

awaitable_result<std::string> requests::text(request what) {
  auto done = co_await read(std::move(what));
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return std::move(done->text);
}

}  // namespace kopiur::blob::s3
