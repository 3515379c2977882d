#include "e2e/simulation/story.hpp"

#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "e2e/simulation/objects.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "services/catalog-discovery/shell/service.hpp"
#include "services/gateway/shell/serve.hpp"
#include "services/maintenance-lease/shell/service.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/retention/shell/service.hpp"
#include "services/scheduler/shell/service.hpp"

namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

constexpr char const* cluster = "sim";
constexpr char const* service_names[] = {"maintenance-lease", "mover-orchestration", "catalog-discovery", "retention", "scheduler"};

/// A process of one service, over its ports.
asio::awaitable<void> serve(testing::process& self, testing::bus_net& net, std::string service) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  auto loop = self.loop().get_executor();
  if (service == "maintenance-lease") {
    lease::service one(bus, time, loop, {});
    co_await one.serve();
  } else if (service == "mover-orchestration") {
    orchestration::service one(bus, time, loop, {.cluster = cluster, .can = {}});
    co_await one.serve();
  } else if (service == "catalog-discovery") {
    discovery::service one(bus, time, loop, {.cluster = cluster});
    co_await one.serve();
  } else if (service == "retention") {
    retention::service one(bus, time, loop, {.cluster = cluster});
    co_await one.serve();
  } else {
    scheduler::service one(bus, time, loop, {.cluster = cluster, .hands = 4});
    co_await one.serve();
  }
}

asio::awaitable<void> serve_gateway(testing::process& self, testing::bus_net& net, datacenter& at, testing::call_faults const& faults) {
  testing::sim_clock time(self);
  testing::memory_port bus(self, net);
  sim_cluster door(self, at, faults);
  co_await gateway::serve(gateway::ports{.bus = bus, .time = time, .world = door, .name = cluster}, {});
}

}  // namespace

story::story(testing::world_options world, story_options how)
    : how_(how), home_(std::move(world)), net_(home_), data_(home_, cluster), users_(home_.fork("users")) {
  data_.on_delete = [this](sim_job const& job, repository const& where, std::string const& id) { check_deletion(job, where, id); };
  data_.on_restore = [this](sim_job const& job, snapshot const& from, std::string const& target) { check_restore(job, from, target); };
  data_.on_act = [this](sim_job const& job) { check_leases(job); };
  data_.on_removal_by_service = [this](delete_object const& command) { check_removal(command); };
  data_.on_start = [this](sim_job const& job) {
    bool destructive = std::holds_alternative<delete_work>(job.order.work.task) || std::holds_alternative<restore_work>(job.order.work.task);
    if (destructive && home_.now() < bus_down_until_ - 10s) violate("7 a destructive act began while the bus was down", job.order.run);
  };
  data_.on_create = [this](json::value const& object) { check_creation(object); };
  net_.server().on_stored([this](testing::memory_stream const&, bus::stored const& message) { check_message(message); });
}
story::~story() = default;

void story::launch(std::string const& name) {
  auto service = name.substr(0, name.find('/'));
  alive_[name] = home_.start(name, [this, service](testing::process& self) -> asio::awaitable<void> {
    if (service == "gateway") co_await serve_gateway(self, net_, data_, cluster_faults_);
    else co_await serve(self, net_, service);
  });
}

void story::make_bus() {
  for (auto& each : streams(1))
    if (auto made = net_.server().ensure(each); !made) violate("set-up", made.error().text);
  for (auto& each : consumers(cluster))
    if (auto made = net_.server().ensure(each); !made) violate("set-up", made.error().text);
}

void story::make_objects() {
  for (auto& each : first_objects())
    if (auto made = data_.create(std::move(each)); !made) violate("set-up", made.error().message);
  data_.repository_at("/foreign");
}

std::optional<testing::violation> story::run() {
  make_bus();
  make_objects();
  plant();
  home_.on_end([this](std::string const& name, std::string const& why) {
    ++summary_.counts["process ends"];
    home_.note(name, "ended", why);
    home_.at(home_.now() + 2s, [this, name] { launch(name); });
  });
  launch("gateway/0");
  for (std::string service : service_names)
    for (int replica = 0; replica < how_.replicas; ++replica)
      if (service != "maintenance-lease" || how_.bug != planted::grants_everything) launch(service + "/" + std::to_string(replica));
  auto start = home_.now();
  plan_users();
  if (how_.with_faults) plan_troubles();
  home_.run_until(start + how_.length);
  if (!home_.violated()) calm_down();
  if (!home_.violated()) check_end();
  summary_.steps = home_.steps(), summary_.hash = home_.hash();
  for (auto& [what, n] : data_.counts) summary_.counts[what] += n;
  for (auto& [what, n] : home_.faults().counts()) summary_.counts["fault: " + what] += n;
  return home_.violated();
}

/// Nothing goes wrong any more, and everything must come to an end; then nobody has a reason to write anything.
void story::calm_down() {
  data_.faults = {};
  net_.faults() = {};
  cluster_faults_ = {};
  for (auto& [_, each] : data_.repositories()) each.reachable = true;
  auto end = home_.now();
  home_.run_until(end + 3h);
  std::vector<json::value> quiet;
  for (auto& [key, object] : data_.objects()) {
    auto kind = object.text("kind");
    if (kind != "BackupSchedule" && kind != "Maintenance" && kind != "Repository") continue;
    auto edited = object;
    edited.erase("status");
    auto* spec = edited.find("spec");
    (kind == "BackupSchedule" ? spec->find("schedule") : spec)->set("suspend", true);
    quiet.push_back(std::move(edited));
  }
  for (auto& each : quiet) (void)data_.apply(each);
  home_.run_until(end + 4h);
  auto writes = data_.writes;
  home_.run_until(end + 4h + 10min);
  if (data_.writes != writes && !home_.violated()) violate("9 a quiet system writes", std::to_string(data_.writes - writes) + " writes in ten minutes");
}

}  // namespace kopiur::simulation
