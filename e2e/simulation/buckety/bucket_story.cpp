#include "e2e/simulation/buckety/bucket_story.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/bus/dead_letters.hpp"
#include "common/testing/memory_port.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/streams.hpp"
#include "services/provisioner/shell/service.hpp"
#include "services/systems/buckety/config/load.hpp"

/// The provisioner with its configuration, and what fails besides the cluster and the bus.
namespace kopiur::simulation {

using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

/// `objects` and `same` are one store under two names.
constexpr char const* configuration = R"(backends:
  - {name: objects, driver: s3, config: {endpoint: "http://one", accessKeyID: root, secretAccessKey: hunter2-secret}}
  - {name: same, driver: s3, config: {endpoint: "http://ONE:80", region: eu, accessKeyID: root, secretAccessKey: hunter2-secret}}
  - {name: other, driver: s3, config: {endpoint: "http://two", accessKeyID: root, secretAccessKey: hunter2-secret}, parameters: {versioning: "true"}}
)";

}  // namespace

std::shared_ptr<buckety::controller_config const> bucket_configuration() {
  static auto const read = std::make_shared<buckety::controller_config const>(
      buckety::load("buckety-controller.yaml", configuration, [](auto const&) { return std::nullopt; }, buckety::all_drivers()).value());
  return read;
}

bucket_story::bucket_story(testing::world& home, testing::bus_net& net, datacenter& data, tally& told)
    : sky(home), home_(home), net_(net), data_(data), told_(told), users_(home.fork("users of buckets")) {
  sky.sent_for = [this](bucket_place const& place) { return sender_at(place); };
  sky.on_removal_sent = [this](bucket_place const& place, std::string const& uid) { removal_sent(place, uid); };
  sky.on_removal = [this](bucket_place const& place, bucket const& doomed, sender const& by) { check_removal(place, doomed, by); };
  sky.on_act = [this](char const* what, bucket_place const& place) {
    told_.add(std::string("bucket: ") + what);
    home_.note("cloud", what, place.name, place.store);
    auto found = sky.buckets.find(place);
    if (std::string_view(what) == "create" && found != sky.buckets.end()) made_by_[place] = found->second.maker;
    if (on_act) on_act(what, place);
  };
}

std::vector<json::value> bucket_story::first_objects() {
  std::vector<json::value> all;
  for (auto* ns : {"ada", "bob"})
    all.push_back(json::object{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", json::object{{"name", ns}}}});
  return all;
}

asio::awaitable<void> bucket_story::serve(testing::process& self, controller::process_shared shared) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net_);
  auto drivers = [this, &self](clock&, asio::any_io_executor) { return drivers_of(self, sky); };
  provisioner::service one(bus, time, self.loop().get_executor(),
                           {.cluster = cluster,
                            .config = bucket_configuration(),
                            .drivers = drivers,
                            .replica = self.name() + "_" + std::to_string(++starts_),
                            .shared = shared});
  app::nursery all(self.loop().get_executor());
  all.spawn(one.serve());
  all.spawn(bus::store_dead_letters(bus, proto::dead_letter_store()));
  co_await all.join();
}

/// The key that the gateways know since their start.
std::string bucket_story::secret_now() const { return "hunter2-secret-" + std::to_string(keys_); }

std::function<std::optional<std::string>(proto::configured_value const&)> bucket_story::configured() const {
  return [secret = secret_now()](proto::configured_value const& wanted) -> std::optional<std::string> {
    bool known = wanted.system == "buckety" && bucket_configuration()->find(wanted.name);
    if (!known) return std::nullopt;
    return wanted.field == "secretAccessKey" ? secret : "root";
  };
}

void bucket_story::plan_troubles(duration length) {
  sky.calls.lost_before = 0.01, sky.calls.lost_after = 0.01, sky.calls.late = 0.01, sky.calls.twice = 0.005;
  sky.calls.crash_before = 0.002, sky.calls.crash_after = 0.004;
  sky.fails = 0.01, sky.unsure = 0.01;
  auto hours = std::chrono::duration<double, std::ratio<3600>>(length).count();
  auto luck = home_.fork("stores away");
  for (int i = 0; i < hours; ++i)
    home_.trouble(home_.now() + luck.between(5min, length), "store away",
                  [this, store = luck.chance(0.7) ? "one" : "two"] { sky.away_until[store] = home_.now() + 3min; });
}

void bucket_story::calm_down() {
  auto const quick = testing::call_faults{.fastest = sky.calls.fastest, .slowest = sky.calls.slowest};
  sky.calls = quick, sky.fails = sky.unsure = 0, sky.away_until.clear();
  ended_ = home_.now();
}

}  // namespace kopiur::simulation
