#include "common/bus/wire.hpp"

#include <charconv>

#include "common/encoding/base64.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::bus::wire {

namespace {

using encoding::whole_number;

std::uint64_t count_at(json::value const& from, std::string_view name) {
  auto* found = from.find(name);
  auto* whole = found ? found->as_int() : nullptr;
  return whole && *whole > 0 ? static_cast<std::uint64_t>(*whole) : 0;
}

/// The number at the end of `wrong last sequence: 7`.
std::optional<std::uint64_t> trailing_number(std::string_view text) {
  auto colon = text.rfind(": ");
  return colon == std::string_view::npos ? std::nullopt : whole_number<std::uint64_t>(text.substr(colon + 2));
}

refusal refusal_of(json::value const& failed, std::string_view stream) {
  int code = static_cast<int>(count_at(failed, "err_code"));
  refusal out{{kind_of(code), std::string(failed.text("description")), std::nullopt}, code, std::string(stream)};
  if (out.what.kind == failure::wrong_sequence) out.what.actual = trailing_number(out.what.text);
  out.what.text += " (JetStream error " + std::to_string(code ? code : static_cast<int>(count_at(failed, "code"))) + ")";
  return out;
}

/// `{"stream":"S","seq":7}`, or with `,"duplicate":true`, with one space where the server puts one.
std::optional<receipt> read_usual(std::string_view body) {
  constexpr std::string_view head = R"({"stream":")";
  if (!body.starts_with(head)) return std::nullopt;
  body.remove_prefix(head.size());
  auto quote = body.find('"');
  if (quote == std::string_view::npos || body.substr(0, quote).find('\\') != std::string_view::npos) return std::nullopt;
  receipt out{.stream = std::string(body.substr(0, quote))};
  body.remove_prefix(quote + 1);
  for (std::string_view comma : {R"(, "seq":)", R"(,"seq":)"})
    if (body.starts_with(comma)) {
      auto [end, failed] = std::from_chars(body.data() + comma.size(), body.data() + body.size(), out.sequence);
      if (failed != std::errc{}) return std::nullopt;
      auto rest = std::string_view(end, body.data() + body.size());
      out.duplicate = rest != "}";
      if (rest == "}" || rest == R"(,"duplicate":true})" || rest == R"(,"duplicate": true})") return out;
    }
  return std::nullopt;
}

json::value object(std::string_view name, json::value content) {
  auto made = json::value::make_object();
  made.set(name, std::move(content));
  return made;
}

}  // namespace

failure kind_of(int err_code) {
  switch (err_code) {
    case 10071:
    case 10164:
      return failure::wrong_sequence;
    case 10077:
    case 10047:
      return failure::limit;
    case 10059:
    case 10014:
    case 10037:
    case 10149:
      return failure::not_found;
    case 10054:
      return failure::too_large;
    case 10025:
    case 10052:
    case 10058:
    case 10060:
    case 10065:
    case 10094:
    case 10099:
    case 10100:
    case 10138:
    case 10148:
    case 10165:
    case 10166:
    case 10174:
    case 10176:
    case 10185:
    case 10193:
    case 10199:
    case 10201:
      return failure::refused;
    case 10158:
    case 10008:
    case 10009:
    case 10023:
    case 10163:
    case 10167:
      return failure::timed_out;
    default:
      return failure::other;
  }
}

bool is_passing(int err_code) { return kind_of(err_code) == failure::timed_out; }

answer read_answer(std::string_view body) {
  auto document = json::parse(body);
  if (!document)
    return std::unexpected(refusal{{failure::other, "the server's answer is not JSON: " + document.error().text(), {}}, 0, {}});
  if (auto* failed = document->find("error")) return std::unexpected(refusal_of(*failed, document->text("stream")));
  return *std::move(document);
}

std::expected<receipt, refusal> read_receipt(std::string_view body) {
  if (auto usual = read_usual(body)) return *std::move(usual);
  auto read = read_answer(body);
  if (!read) return std::unexpected(std::move(read).error());
  auto* twice = read->find("duplicate");
  return receipt{std::string(read->text("stream")), count_at(*read, "seq"), twice && twice->as_bool() && *twice->as_bool()};
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\r' || c == '\n') c = ' ';
  return text;
}

headers publish_headers(publication&& from) {
  auto head = std::move(from.head);
  for (auto& [name, value] : head) value = one_line(std::move(value));
  if (!from.id.empty()) head.emplace_back("Nats-Msg-Id", one_line(std::move(from.id)));
  if (from.expected) head.emplace_back("Nats-Expected-Last-Subject-Sequence", std::to_string(*from.expected));
  if (from.ttl) head.emplace_back("Nats-TTL", std::to_string(from.ttl->count()) + "s");
  if (from.rollup) head.emplace_back("Nats-Rollup", "sub");
  return head;
}

std::optional<ack_subject> read_ack_subject(std::string_view reply) {
  constexpr std::string_view head = "$JS.ACK.";
  if (!reply.starts_with(head)) return std::nullopt;
  std::array<std::string_view, 12> tokens;
  std::size_t count = 0;
  for (auto rest = reply; count < tokens.size() && !rest.empty(); ++count) {
    auto dot = rest.find('.');
    tokens[count] = rest.substr(0, dot);
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  }
  if (count < 9 || count == 10) return std::nullopt;
  std::size_t const stream = count == 9 ? 2 : 4;
  auto delivered = whole_number<std::uint64_t>(tokens[stream + 2]), in_stream = whole_number<std::uint64_t>(tokens[stream + 3]);
  auto in_consumer = whole_number<std::uint64_t>(tokens[stream + 4]), pending = whole_number<std::uint64_t>(tokens[stream + 6]);
  auto index = whole_number<std::int64_t>(tokens[stream + 5]);
  if (!delivered || !in_stream || !in_consumer || !pending || !index) return std::nullopt;
  auto from = tokens[stream].data();
  auto length = tokens[stream].size() + 1 + tokens[stream + 1].size();
  return ack_subject{{from, length}, *delivered, *in_stream, *in_consumer, *pending, instant(duration(*index / nanoseconds_a_millisecond))};
}

std::string pull_body(int batch) {
  static auto const rest = R"(,"expires":)" + std::to_string(pull_expires.count() * nanoseconds_a_millisecond) + R"(,"idle_heartbeat":)" +
                           std::to_string(pull_beat.count() * nanoseconds_a_millisecond) + "}";
  return R"({"batch":)" + std::to_string(batch) + rest;
}

std::string ack_text() { return "+ACK"; }
std::string retry_text(duration delay) {
  if (delay <= duration::zero()) return "-NAK";
  return R"(-NAK {"delay":)" + std::to_string(delay.count() * nanoseconds_a_millisecond) + "}";
}
std::string reject_text(std::string_view reason) { return "+TERM " + one_line(std::string(reason)); }
std::string progress_text() { return "+WPI"; }

std::string last_body(std::string_view subject) { return dump(object("last_by_subj", subject)); }
std::string at_body(std::uint64_t sequence) { return dump(object("seq", sequence)); }
std::string erase_body(std::uint64_t sequence) {
  auto body = object("seq", sequence);
  body.set("no_erase", true);
  return dump(body);
}

std::optional<stored> read_stored(json::value const& answer) {
  auto* message = answer.find("message");
  if (!message) return std::nullopt;
  auto body = encoding::from_base64(message->text("data")), head = encoding::from_base64(message->text("hdrs"));
  if (!body || !head) return std::nullopt;
  stored out{.subject = std::string(message->text("subject")), .body = *std::move(body), .sequence = count_at(*message, "seq")};
  out.head = read_headers(*head);
  out.time = instant_from(message->text("time")).value_or(instant{});
  return out;
}

headers read_headers(std::string_view raw) {
  headers out;
  for (bool first = true; !raw.empty(); first = false) {
    auto end = raw.find("\r\n");
    auto line = raw.substr(0, end);
    raw = end == std::string_view::npos ? std::string_view{} : raw.substr(end + 2);
    auto colon = line.find(':');
    if (first || colon == std::string_view::npos) continue;
    auto value = line.substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    out.emplace_back(line.substr(0, colon), value);
  }
  return out;
}

}  // namespace kopiur::bus::wire
