#include "common/bus/dead_letters.hpp"

#include <algorithm>

#include "common/json/value.hpp"

namespace kopiur::bus {

namespace {

constexpr duration try_again{5000};

/// Headers with instructions to the stream: the copy does not carry them.
bool is_instruction(std::string_view name) { return name.starts_with("Nats-"); }

/// A header value is one line.
std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\r' || c == '\n') c = ' ';
  return text;
}

/// The reason in an advisory, or a default text when it has none.
std::string reason_of(json::value const& said, std::uint64_t deliveries) {
  auto given = said.text("reason");
  if (!given.empty()) return std::string(given);
  return "given up after " + std::to_string(deliveries) + " deliveries";
}

std::uint64_t number(json::value const& from, std::string_view name) {
  auto* found = from.find(name);
  auto* whole = found ? found->as_int() : nullptr;
  return whole && *whole > 0 ? static_cast<std::uint64_t>(*whole) : 0;
}

enum class outcome { on_dead_letter, nothing, later };

asio::awaitable<outcome> store_one(port& bus, dead_letter_options const& options, handling_failure why, std::uint64_t sequence) {
  auto message = co_await bus.at(why.stream, sequence);
  if (!message) co_return message.error().kind == failure::not_found ? outcome::nothing : outcome::later;
  if (!*message)
    co_return outcome::nothing;  // rejected on a work queue, after the worker's port stored the copy; or a newer message replaced it
  auto copied = co_await bus.publish(dead_letter(options.prefix, **message, why));
  if (!copied) co_return outcome::later;
  if (std::ranges::find(options.erase_from, why.stream) != options.erase_from.end())
    if (!co_await bus.erase(why.stream, sequence)) co_return outcome::later;
  co_return copied->duplicate ? outcome::nothing : outcome::on_dead_letter;
}

}  // namespace

stream_config dead_letter_stream(dead_letter_options const& options) {
  return {.name = options.stream,
          .subjects = {options.prefix + ".>", std::string(max_deliveries_advisory) + ".>", std::string(terminated_advisory) + ".>"},
          .max_age = std::chrono::hours(24 * 30)};
}

consumer_config dead_letter_consumer(dead_letter_options const& options) {
  return {.stream = options.stream,
          .name = options.durable,
          .filters = {std::string(max_deliveries_advisory) + ".>", std::string(terminated_advisory) + ".>"},
          .max_deliver = 100,
          .backoff = {std::chrono::seconds(30)}};
}

publication dead_letter(std::string_view prefix, stored const& message, handling_failure const& why) {
  auto sequence = std::to_string(message.sequence);
  publication letter{.subject = std::string(prefix) + "." + why.stream + "." + why.consumer,
                     .body = message.body,
                     .id = "dead." + why.stream + "." + why.consumer + "." + sequence + "." + to_text(message.time)};
  std::ranges::copy_if(message.head, std::back_inserter(letter.head), [](auto const& one) { return !is_instruction(one.first); });
  letter.head.emplace_back("Dead-Subject", message.subject);
  letter.head.emplace_back("Dead-Sequence", sequence);
  letter.head.emplace_back("Dead-Attempts", std::to_string(why.attempts));
  letter.head.emplace_back("Dead-Reason", one_line(why.reason));
  return letter;
}

std::optional<std::pair<handling_failure, std::uint64_t>> read_advisory(std::string_view body) {
  auto said = json::parse(body);
  if (!said) return std::nullopt;
  auto deliveries = number(*said, "deliveries");
  auto sequence = number(*said, "stream_seq");
  handling_failure why{std::string(said->text("stream")), std::string(said->text("consumer")), deliveries, reason_of(*said, deliveries)};
  if (why.stream.empty() || why.consumer.empty() || sequence == 0) return std::nullopt;
  return std::pair(std::move(why), sequence);
}

asio::awaitable<void> store_dead_letters(port& bus, dead_letter_options options,
                                         std::function<void(handling_failure const&)> on_dead_letter) {
  auto from = bus.work(options.stream, options.durable, 16);
  while (true) {
    auto told = co_await from->next();
    auto advisory = read_advisory(told.message.body);
    auto done = outcome::nothing;  // what is no advisory is acked: it must not come again
    if (advisory) done = co_await store_one(bus, options, advisory->first, advisory->second);
    if (done == outcome::later) {
      from->retry(told, try_again);
      continue;
    }
    from->ack(told);
    if (done == outcome::on_dead_letter && on_dead_letter) on_dead_letter(advisory->first);
  }
}

}  // namespace kopiur::bus
