#include "services/provisioner/adapters/kadm_driver.hpp"

#include "services/systems/buckety/kadm/config.hpp"

namespace kopiur::provisioner {

namespace asio = boost::asio;
namespace kadm = buckety::kadm;
using namespace std::chrono_literals;
using kafka::failure;

namespace {

/// Brokers learn of a change one after the other: how long, and how often, they are asked again.
constexpr duration patience = 5s, between_looks = 200ms;

using settings_answer = kafka::outcome<std::map<std::string, std::optional<std::string>>>;

call_failed failed(std::string const& topic, kafka::error const& why) {
  auto advice = why.kind == failure::denied ? " Give the controller's login that right, or correct the login." : "";
  return {topic + ": " + why.message + advice};
}
/// Of a broker that has not heard of a new topic yet, perhaps.
bool is_early(kafka::error const& why) { return why.kind == failure::absent || why.kind == failure::unready; }
kafka::error unknown_to_brokers() { return {failure::unanswered, "Kafka's controller has the topic, and the brokers do not know it yet."}; }
kafka::error gone_meanwhile() { return {failure::absent, "The topic was deleted at this moment; it is looked at again."}; }

}  // namespace

duration kadm_driver::until_known() const { return time_.steady() + patience; }

asio::awaitable<bool> kadm_driver::may_ask_again(duration until) {
  if (time_.steady() > until) co_return false;
  co_await time_.sleep_for(between_looks);
  co_return true;
}

/// A broker that does not know a topic proves nothing: the controller says whether it exists.
auto kadm_driver::find(std::string name) -> result<std::optional<kafka::topic_state>> {
  for (auto const until = until_known();;) {
    auto there = co_await client_->look_at(name);
    if (!there || *there) co_return there;
    auto known = co_await client_->is_known(name);
    if (!known) co_return std::unexpected(known.error());
    if (!*known) co_return std::nullopt;
    if (!co_await may_ask_again(until)) co_return std::unexpected(unknown_to_brokers());
  }
}

auto kadm_driver::inspect(std::string name, bool content) -> answer<buckety::inspection> {
  auto there = co_await find(name);
  if (!there) co_return failed(name, there.error());
  if (!*there) co_return buckety::inspection{};
  if (!content) co_return buckety::inspection{.exists = true};
  auto empty = co_await is_empty(name, (*there)->replicas.size());
  if (!empty) co_return failed(name, empty.error());
  co_return buckety::inspection{.exists = true, .empty = *empty};
}

/// A topic whose offsets may not be read counts as one with records.
auto kadm_driver::is_empty(std::string name, std::size_t partitions) -> result<bool> {
  for (auto const until = until_known();;) {
    auto records = co_await client_->has_records(name, partitions);
    if (records) co_return !*records;
    if (records.error().kind == failure::denied) co_return false;
    if (!is_early(records.error()) || !co_await may_ask_again(until)) co_return std::unexpected(records.error());
  }
}

auto kadm_driver::create(std::string name, buckety::parameters wanted) -> answer<buckety::create_result> {
  auto parsed = kadm::parse_parameters(wanted);
  if (!parsed) co_return call_failed{buckety::text_of(parsed.error())};
  auto made = co_await client_->create({.name = name,
                                        .partitions = parsed->partitions,
                                        .replication_factor = parsed->replication_factor,
                                        .settings = std::move(parsed->settings)});
  if (made) co_return buckety::create_result::Made;
  if (made.error().kind == failure::exists) co_return buckety::create_result::ExistsAlready;
  co_return failed(name, made.error());
}

auto kadm_driver::settle(std::string name, buckety::parameters wanted, bool writes) -> settled {
  auto parsed = kadm::parse_parameters(wanted);
  if (!parsed) co_return call_failed{buckety::text_of(parsed.error())};
  auto now = co_await look(name, *parsed);
  if (!now) co_return failed(name, now.error());
  if (auto* drift = std::get_if<kadm::unchangeable>(&now->needed)) co_return drifted{drift->message};
  auto& needed = std::get<kadm::topic_changes>(now->needed);
  if (needed.none()) co_return alignment::Same;
  if (!writes) co_return alignment::Different;
  if (auto done = co_await change(name, needed); !done) co_return failed(name, done.error());
  auto then = co_await look_until_same(name, *parsed);
  if (!then) co_return failed(name, then.error());
  if (auto* drift = std::get_if<kadm::unchangeable>(&then->needed)) co_return drifted{drift->message};
  auto& left = std::get<kadm::topic_changes>(then->needed);
  if (!left.settings.empty()) co_return drifted{kadm::kept_otherwise(left.settings, then->found).message};
  if (left.partitions) co_return failed(name, unknown_to_brokers());
  co_return alignment::Same;
}

auto kadm_driver::look(std::string name, kadm::wanted_topic wanted) -> result<looked> {
  for (auto const until = until_known();;) {
    auto there = co_await find(name);
    if (!there) co_return std::unexpected(there.error());
    if (!*there) co_return std::unexpected(gone_meanwhile());
    auto settings = wanted.settings.empty() ? settings_answer() : co_await client_->settings_of(name);
    if (settings) {
      kadm::found_topic found{.replicas = std::move((*there)->replicas), .settings = std::move(*settings)};
      auto needed = kadm::changes_for(wanted, found);
      co_return looked{std::move(found), std::move(needed)};
    }
    if (!is_early(settings.error()) || !co_await may_ask_again(until)) co_return std::unexpected(settings.error());
  }
}

auto kadm_driver::change(std::string name, kadm::topic_changes needed) -> result<void> {
  if (needed.partitions)
    if (auto done = co_await client_->add_partitions(name, *needed.partitions); !done) co_return done;
  if (!needed.settings.empty()) co_return co_await client_->set(name, std::move(needed.settings));
  co_return kafka::outcome<void>{};
}

/// What was changed is seen by the brokers a little later.
auto kadm_driver::look_until_same(std::string name, kadm::wanted_topic wanted) -> result<looked> {
  for (auto const until = until_known();;) {
    auto now = co_await look(name, wanted);
    auto* left = now ? std::get_if<kadm::topic_changes>(&now->needed) : nullptr;
    if (!left || left->none() || !co_await may_ask_again(until)) co_return now;
  }
}

auto kadm_driver::remove(std::string name) -> answer<removal> {
  auto gone = co_await client_->remove(name);
  if (!gone && gone.error().kind != failure::absent) co_return failed(name, gone.error());
  co_return removal::Done;
}

namespace {

/// The connection that a backend's configuration describes.
kafka::connection connection_of(kadm::backend_config const& config) {
  auto text = [](std::optional<buckety::secret_text> const& secret) { return secret ? secret->reveal() : std::string(); };
  kafka::connection target{.seeds = config.seed_brokers, .client_ID = config.client_ID.value_or("kopiur"), .tls = {}, .sasl = {}};
  if (config.tls)
    target.tls = {.authorities = config.tls->ca.value_or(""), .certificate = text(config.tls->certificate), .key = text(config.tls->key)};
  if (config.sasl)
    target.sasl = {.mechanism = config.sasl->mechanism, .user = config.sasl->username.reveal(), .password = config.sasl->password.reveal()};
  return target;
}

}  // namespace

std::unique_ptr<driver> make_kadm_driver(clock& time, asio::any_io_executor loop, kadm::backend_config const& config) {
  return std::make_unique<kadm_driver>(time, std::make_unique<kafka::client>(std::move(loop), connection_of(config)));
}

}  // namespace kopiur::provisioner
