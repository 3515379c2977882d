#include "e2e/fuzz/fuzz.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/requests.hpp"

namespace kopiur::fuzz {
namespace {

using namespace gateway;

/// A verb, headers as `name: content`, an empty line, and the body.
raw_request message_of(std::string_view input) {
  raw_request raw{.namespace_ = "prod", .verb = std::string(take_line(input)), .body = {}, .headers = {}, .sequence = 7};
  for (auto line = take_line(input); !line.empty(); line = take_line(input)) {
    auto colon = std::min(line.find(": "), line.size());
    raw.headers.emplace_back(line.substr(0, colon), line.substr(std::min(line.size(), colon + 2)));
  }
  raw.body = input;
  return raw;
}

bool is_token(std::string_view text) { return !text.empty() && text.size() <= 128 && text.find_first_of(". *>\t\r\n") == text.npos; }

/// The same request as a CloudEvent in structured mode.
raw_request structured(parsed_request const& from, raw_request const& raw) {
  auto data = std::visit([](auto const& one) { return json::encode(one); }, from.request);
  json::object event{{"specversion", "1.0"}, {"id", from.id}, {"source", from.source}, {"type", raw.verb}, {"data", std::move(data)}};
  return {.namespace_ = raw.namespace_, .verb = raw.verb, .body = json::dump(std::move(event)), .headers = {}, .sequence = 8};
}

bool is_text(std::string const& bytes) {
  auto read = json::parse(json::dump(bytes));
  return read && *read == json::value(bytes);
}

void check_plan(parsed_request const& parsed) {
  auto plan = plan_request(parsed, "prod", true);
  if (!plan) return require(plan.error().id == parsed.id && !plan.error().message.empty(), "a refusal says why, to whom has asked");
  require(plan->stands_for.namespace_ == "prod", "a request reaches its own namespace only");
  require(is_object_name(plan->stands_for.name), "a request stands for an object with a name");
  if (auto* made = std::get_if<create_step>(&plan->step)) require(admit_key(made->object).has_value(), "what a request creates has a key");
}

}  // namespace

void look(std::string_view input) {
  auto raw = message_of(input);
  auto parsed = parse_request(raw);
  if (!parsed) return require(!parsed.error().id.empty() && !parsed.error().message.empty(), "a refusal says why, and to what");
  require(!parsed->id.empty() && is_token(request_token(parsed->id)), "an id makes one token of a subject");
  check_plan(*parsed);
  if (!is_text(parsed->id) || !is_text(parsed->source)) return;
  auto again = parse_request(structured(*parsed, raw));
  require(again && again->id == parsed->id && again->source == parsed->source, "a structured CloudEvent keeps id and source");
  auto content = [](proto::user_request const& from) { return std::visit([](auto const& one) { return json::write(one); }, from); };
  require(content(again->request) == content(parsed->request), "a structured CloudEvent asks for the same");
}

}  // namespace kopiur::fuzz
