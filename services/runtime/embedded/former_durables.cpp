#include "services/runtime/embedded/former_durables.hpp"

#include <boost/asio.hpp>
#include <optional>

#include "proto/streams.hpp"
#include "proto/subjects.hpp"

namespace kopiur::embedded {

namespace asio = boost::asio;
namespace subjects = proto::subjects;

namespace {

/// The clusters whose objects are on this bus.
asio::awaitable<std::vector<std::string>> clusters_on(bus::port& bus) {
  std::vector<std::string> found;
  auto listed = bus.follow(std::string(subjects::resources), {subjects::resources_listed("*")});
  for (;;) {
    auto item = co_await listed->next();
    if (std::holds_alternative<bus::caught_up>(item)) co_return found;
    if (std::holds_alternative<bus::restarted>(item)) found.clear();
    if (auto* one = std::get_if<bus::stored>(&item)) found.push_back(subjects::name(subjects::part(one->subject, 3)));
  }
}

asio::awaitable<bool> has_each_its_own(bus::administration& bus, proto::former_durable const& former, std::vector<std::string> clusters) {
  for (auto const& cluster : clusters)
    if (!co_await bus.consumer(former.stream, former.now(cluster))) co_return false;
  co_return true;
}

}  // namespace

bool is_needed(bus::consumer_state const& former, bool each_has_its_own, instant now) {
  bool used = former.awaited || (former.last_active && now - *former.last_active < std::chrono::hours(1));
  return used || !each_has_its_own;
}

asio::awaitable<std::vector<std::string>> remove_former_durables(bus::port& bus, clock& time) {
  std::vector<std::string> removed;
  auto* about = bus::administration_of(bus);
  if (!about) co_return removed;
  std::optional<std::vector<std::string>> clusters;
  for (auto const& former : proto::former_durables()) {
    auto state = co_await about->consumer(former.stream, former.name);
    if (!state) continue;
    if (!clusters) clusters = co_await clusters_on(bus);
    bool each = co_await has_each_its_own(*about, former, *clusters);
    if (is_needed(*state, each, time.now())) continue;
    if (co_await about->remove_consumer(former.stream, former.name)) removed.push_back(former.name);
  }
  co_return removed;
}

}  // namespace kopiur::embedded
