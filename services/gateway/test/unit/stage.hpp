#pragma once
#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/mirror.hpp"
#include "services/gateway/core/objects.hpp"
#include "services/gateway/local/local_cluster.hpp"
#include "services/gateway/shell/serve.hpp"
#include "services/gateway/test/folder.hpp"

/// The whole service with a bus in memory and virtual time.
namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;
using proto::answer_code;

/// An unreachable cluster: its calls fail after 5 s, and its feed is silent.
class away_cluster : public cluster {
 public:
  explicit away_cluster(clock& time) : time_(time) {}
  awaitable<void> run() override { co_await time_.sleep_for(24h); }
  std::unique_ptr<cluster_feed> follow() override { return std::make_unique<silence>(time_); }
  awaitable<outcome<json::value>> read(proto::object_ref) override { return fail<outcome<json::value>>(); }
  std::optional<json::value> known(object_key const&) const override { return {}; }
  awaitable<outcome<json::value>> create(json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> apply(json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> patch(proto::patch_metadata) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> remove(proto::delete_object) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> write_status(json::value, json::value) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<std::string>> create_job(proto::create_job) override { return fail<outcome<std::string>>(); }
  awaitable<outcome<void>> delete_job(proto::delete_job) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> capture_volumes(proto::capture_volumes) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> delete_capture(proto::delete_capture) override { return fail<outcome<void>>(); }
  awaitable<outcome<json::value>> mint(minted_secret) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<json::value>> drop(proto::drop_secret) override { return fail<outcome<json::value>>(); }
  awaitable<outcome<std::string>> secret(std::string, std::string, std::string) override { return fail<outcome<std::string>>(); }
  hook_policy const* http_policy() const override { return nullptr; }
  awaitable<outcome<json::array>> endpoint_slices(std::string, std::string) override { return fail<outcome<json::array>>(); }
  awaitable<outcome<void>> exec(proto::exec_in_pod) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> run_job(proto::run_user_job) override { return fail<outcome<void>>(); }
  awaitable<outcome<void>> record_event(proto::record_event) override { return fail<outcome<void>>(); }
  awaitable<std::optional<std::string>> note(std::string) override { co_return std::nullopt; }
  awaitable<void> keep_note(std::string, std::string) override { co_return; }
  seals const& marks() const override { return marks_; }

 private:
  seals marks_{"of this installation"};
  struct silence final : cluster_feed {
    explicit silence(clock& clock) : time(clock) {}
    awaitable<cluster_change> next() override {
      for (;;) co_await time.sleep_for(24h);
    }
    clock& time;
  };
  template <class T>
  awaitable<T> fail() {
    co_await time_.sleep_for(5s);
    throw std::runtime_error("The cluster is away.");
  }
  clock& time_;
};

/// Tells the changes of a queue.
struct queued_feed final : cluster_feed {
  queued_feed(clock& clock, std::deque<cluster_change>& changes) : time(clock), coming(changes) {}
  awaitable<cluster_change> next() override {
    while (coming.empty()) co_await time.sleep_for(5ms);
    auto change = std::move(coming.front());
    coming.pop_front();
    co_return change;
  }
  clock& time;
  std::deque<cluster_change>& coming;
};

/// A Backup of a cluster, and its state as last watched.
struct remote {
  json::value now, told;
  std::deque<cluster_change> coming{};
  int reads = 0, refused = 0;

  explicit remote(std::string const& uid) : now(manifest("Backup", "b")) {
    is(uid, "1");
    tell();
  }
  void is(std::string_view uid, std::string_view version) {
    auto& metadata = *now.find("metadata");
    metadata.set("uid", uid), metadata.set("resourceVersion", version);
  }
  void tell() { told = now, coming.push_back(seen_object{now}); }
  /// A write by another process.
  void write(std::string_view member, std::string_view text) {
    auto status = now.find("status") ? *now.find("status") : json::value::make_object();
    status.set(member, text);
    now.set("status", std::move(status));
    is(std::string(uid_of(now)), std::to_string(std::stoi(std::string(version_of(now))) + 1));
  }
};

class remote_cluster final : public away_cluster {
 public:
  remote_cluster(clock& time, remote& remote) : away_cluster(time), time_(time), remote_(remote) {}
  awaitable<outcome<json::value>> read(proto::object_ref) override {
    ++remote_.reads;
    co_return remote_.now;
  }
  std::optional<json::value> known(object_key const&) const override { return remote_.told; }
  awaitable<outcome<json::value>> write_status(json::value read, json::value status) override {
    if (auto why = outdated(&remote_.now, read)) {
      ++remote_.refused;
      co_return std::unexpected(std::move(*why));
    }
    remote_.now.set("status", std::move(status));
    remote_.write("written", "by us");
    co_return remote_.now;
  }
  std::unique_ptr<cluster_feed> follow() override { return std::make_unique<queued_feed>(time_, remote_.coming); }

 private:
  clock& time_;
  remote& remote_;
};

struct stage {
  test_folder data;
  testing::world home;
  testing::bus_net net{home};
  std::shared_ptr<testing::process> gateway;
  std::string ended;
  backlog behind;
  decltype(ports::call) call = http::send;
  decltype(ports::resolve) resolve = http::resolve;
  decltype(ports::configured) configured = [](auto const& wanted) {
    return wanted.field == "unknown" ? std::nullopt : std::optional<std::string>("hunter2");
  };

  stage() {
    for (auto const& each : proto::streams(1)) must(net.server().ensure(each));
    for (auto const& each : proto::consumers("local")) must(net.server().ensure(each));
    home.on_end([this](std::string const&, std::string const& why) { ended = why; });
    start();
  }
  template <class T>
  T must(bus::result<T> done) {
    if (!done) throw std::runtime_error(done.error().text);
    if constexpr (!std::is_void_v<T>) return std::move(*done);
  }
  using maker = std::function<std::unique_ptr<cluster>(testing::process&, clock&)>;
  /// Starts a gateway on the cluster that `make` creates.
  void start_on(maker make) {
    gateway = home.start("gateway", [this, make = std::move(make)](testing::process& self) -> awaitable<void> {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      auto cluster = make(self, time);
      co_await serve({.bus = bus,
                      .time = time,
                      .cluster = *cluster,
                      .name = "local",
                      .behind = &behind,
                      .configured = configured,
                      .call = call,
                      .resolve = resolve},
                     {});
    });
  }
  void start() {
    start_on([this](testing::process& self, clock& time) {
      return std::make_unique<local::local_cluster>(
          self.loop().get_executor(), time, local::local_settings{.data = data.path(), .manifests = {}, .mover = {}, .check = nullptr});
    });
    go(5s);
  }
  /// As by `kill -9`.
  void end() {
    home.kill(*gateway);
    go(1s);
    ended.clear();
  }
  void restart() {
    end();
    start();
  }
  /// Restarts the gateway with an unreachable cluster.
  void go_away() {
    end();
    start_on([](testing::process&, clock& time) { return std::make_unique<away_cluster>(time); });
  }
  void go(duration length) {
    home.run_until(home.now() + length);
    if (!ended.empty() && gateway->alive()) throw std::runtime_error(ended);
  }
  std::optional<bus::stored> last(std::string_view stream, std::string const& subject) {
    return must(net.server().last(std::string(stream), subject));
  }
  bus::receipt publish(bus::publication one) {
    auto done = must(net.server().publish(one));
    go(2s);
    return done;
  }
  /// Sends a command and returns its answer.
  proto::answer command(std::string const& key, proto::gateway_command what, std::string id = "") {
    auto verb = std::visit([](auto const& one) { return std::string(one.member); }, what);
    publish({.subject = subjects::command("local", "gateway", verb, key), .body = json::write(what), .id = std::move(id)});
    auto said = last(subjects::answers, subjects::answer("local", "gateway", verb, key));
    if (!said) throw std::runtime_error("no answer to " + verb + "; " + ended);
    return *json::read<proto::answer>(said->body);
  }
  std::optional<json::value> mirrored(std::string_view kind, std::string_view name) {
    auto found = last(subjects::resources, subjects::resource("local", kind, "home", name));
    if (!found || found->body.empty()) return std::nullopt;
    return parsed_json(found->body);
  }
  std::uint64_t messages(std::string_view stream) { return must(net.server().info(std::string(stream))).last_sequence; }
  void claim(std::string const& service, std::string const& uid, std::string const& status) {
    proto::status_fragment one{.uid = uid, .made_from = {}, .observed_generation = 1, .status = parsed_json(status), .conditions = {}};
    must(net.server().publish({.subject = subjects::status_fragment("local", "Backup", "home", "b", service), .body = json::write(one)}));
  }
};

/// The same with the cluster of `at`.
struct remote_stage : stage {
  remote remote{"u1"};
  remote_stage() {
    end();
    start_on([this](testing::process&, clock& time) { return std::make_unique<remote_cluster>(time, remote); });
    go(5s);
  }
};

}  // namespace kopiur::gateway
