#pragma once
#include <map>
#include <set>
#include <string>

#include "services/gateway/test/unit/stage.hpp"
#include "services/provisioner/shell/service.hpp"
#include "services/provisioner/test/scene.hpp"

/// The service in several replicas, with a gateway over a folder, a bus in memory, and backends in memory.
namespace kopiur::provisioner {

using namespace std::chrono_literals;

/// All backends of a test.
struct cloud {
  struct bucket {
    int objects = 0;
    bool operator==(bucket const&) const = default;
  };
  std::map<std::string, bucket> buckets;
  std::set<std::string> silent;  ///< backends that never answer
  int made = 0, removed = 0, looks = 0;
  duration latency{20};
  std::function<void()> after_making = [] {}, after_removing = [] {};
  std::function<void(int left)> after_emptying = [](int) {};
};

class cloud_driver final : public driver {
 public:
  cloud_driver(cloud& all, clock& time, std::string backend) : all_(all), time_(time), backend_(std::move(backend)) {}

  answer<buckety::inspection> inspect(std::string name, bool) override {
    co_await reach();
    ++all_.looks;
    auto found = all_.buckets.find(name);
    if (found == all_.buckets.end()) co_return buckety::inspection{};
    co_return buckety::inspection{.exists = true, .empty = found->second.objects == 0};
  }
  answer<buckety::create_result> create(std::string name, buckety::parameters) override {
    co_await reach();
    if (!all_.buckets.try_emplace(name).second) co_return buckety::create_result::ExistsAlready;
    ++all_.made;
    all_.after_making();
    co_await reach();
    co_return buckety::create_result::Made;
  }
  settled settle(std::string, buckety::parameters, bool) override {
    co_await reach();
    co_return alignment::Same;
  }
  answer<removal> remove(std::string name) override {
    co_await reach();
    auto found = all_.buckets.find(name);
    if (found == all_.buckets.end()) co_return removal::Done;
    if (found->second.objects > 0) {
      all_.after_emptying(--found->second.objects);
      co_return removal::Emptying;
    }
    ++all_.removed;
    all_.buckets.erase(found);
    all_.after_removing();
    co_return removal::Done;
  }

 private:
  boost::asio::awaitable<void> reach() { co_await time_.sleep_for(all_.silent.contains(backend_) ? duration(24h) : all_.latency); }

  cloud& all_;
  clock& time_;
  std::string backend_;
};

struct cloud_stage : gateway::stage {
  cloud sky;
  std::shared_ptr<buckety::controller_config> config = std::make_shared<buckety::controller_config>(config_with("objects"));
  std::map<std::string, std::shared_ptr<testing::process>> replicas;

  explicit cloud_stage(int count = 3) {
    auto silent = config_with("silent").backends.front();
    config->backends.push_back(std::move(silent));
    sky.silent.insert("silent");
    home.on_end([this](std::string const& name, std::string const& why) {
      if (name == "gateway" || why != "killed") ended = name + ": " + why;
    });
    for (int i = 0; i < count; ++i) run_replica("provisioner-" + std::to_string(i));
    go(5s);
  }
  void run_replica(std::string const& name) {
    replicas[name] = home.start(name, [this, name](testing::process& self) -> boost::asio::awaitable<void> {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      auto drivers = [this](clock& clock, boost::asio::any_io_executor) -> driver_maker {
        return [this, &clock](buckety::backend const& one) { return std::make_unique<cloud_driver>(sky, clock, one.name); };
      };
      service one(bus, time, self.loop().get_executor(),
                  {.config = config, .drivers = drivers, .replica = name + std::to_string(++starts), .shared = {}, .may_change = [this] {
                     return may_change;
                   }});
      co_await one.serve();
    });
  }
  json::value manifest(std::string const& name, std::string const& spec) {
    return gateway::parsed_json(R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"Buckety","metadata":{"name":")" + name +
                                R"(","namespace":"home"},"spec":{)" + (spec.empty() ? R"("backend":"objects")" : spec) + "}}");
  }
  json::value buckety(std::string const& name, std::string const& spec = "") {
    command("make-" + name, proto::create_object{manifest(name, spec)});
    return status(name);
  }
  /// A user changes that label of the object as soon as its resource is made.
  void relabel_after_making(std::string const& name, std::string const& key, std::string const& value) {
    sky.after_making = [=, this] {
      home.at(home.now(), [=, this] {
        proto::patch_metadata edit{.object = {"Buckety", "home", name, std::string(object("Buckety", name).text("metadata.uid"))},
                                   .labels = {{key, value}}};
        (void)net.server().publish(
            {.subject = gateway::subjects::command("local", "gateway", "patch-metadata", "edit"), .body = json::write(edit)});
      });
    };
  }
  json::value object(std::string const& kind, std::string const& name) {
    auto text = files::read_file(data / "objects" / kind / "home" / (name + ".json"));
    return text ? gateway::parsed_json(*text) : json::value();
  }
  json::value status(std::string const& name) {
    auto one = object("Buckety", name);
    return one.find("status") ? *one.find("status") : json::value::make_object();
  }
  std::string reason(std::string const& name) {
    auto found = status(name);
    auto* all = found.find("conditions");
    if (!all || !all->as_array()) return {};
    for (auto& each : *all->as_array())
      if (each.text("type") == "Ready") return std::string(each.text("reason"));
    return {};
  }
  bool is_ready(std::string const& name) { return reason(name) == "EnsuredOnBackend"; }
  void remove(std::string const& name) { command("remove-" + name, proto::delete_object{.object = {"Buckety", "home", name, ""}}); }
  bool is_gone(std::string const& name) { return object("Buckety", name).is_null(); }
  /// Runs until it holds; false: it never did.
  bool within(duration limit, std::function<bool()> holds) {
    for (auto end = home.now() + limit; home.now() < end; go(200ms))
      if (holds()) return true;
    return holds();
  }
  int starts = 0;
  bool may_change = true;
};

}  // namespace kopiur::provisioner
