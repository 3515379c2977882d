#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "e2e/simulation/datacenter.hpp"

/// Every call of the gateway to its cluster takes time and may fail.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;
using gateway::awaitable;
using gateway::outcome;

namespace {

// As kubernetes::leader::limits, except `looked`: at 300 ms three quarters of all steps would be such reads.
constexpr duration life = 9s, renewed = 2s, given_up = 6s, retried = 300ms, looked = 1200ms;

// Three gateways read the Lease some three times a second: with the fault rates of other calls they would do nothing but take over.
constexpr testing::call_faults rarely{
    .lost_before = 4e-6, .lost_after = 4e-6, .late = 4e-6, .twice = 4e-6, .crash_before = 2e-6, .crash_after = 2e-6, .lateness = 20s};

struct no_answer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class sim_feed final : public gateway::cluster_feed {
 public:
  explicit sim_feed(std::shared_ptr<datacenter::reader> from) : from_(std::move(from)) {}
  awaitable<gateway::cluster_change> next() override {
    auto& home = from_->who.home();
    bool walks = !from_->walk.empty();
    while (!from_->walk_on()) co_await home.wait(from_->who, [this](testing::wait_id id) { from_->waiting.push_back(id); });
    auto change = std::move(from_->arrived.front());
    from_->arrived.pop_front();
    if (walks && ++walked_ % walked_at_a_time == 0) co_await home.sleep_until(from_->who, home.now() + 5ms);
    co_return change;
  }

 private:
  static constexpr int walked_at_a_time = 3;  // then others run
  int walked_ = 0;
  std::shared_ptr<datacenter::reader> from_;
};

}  // namespace

sim_cluster::sim_cluster(testing::process& who, datacenter& datacenter, testing::call_faults const& faults)
    : who_(who),
      datacenter_(datacenter),
      faults_(faults),
      place_(datacenter.home().faults().place(who.name() + "/cluster")),
      answers_(datacenter.home().faults().place(who.name() + "/cluster answers")),
      identity_(who.name() + "_" + std::to_string(datacenter.home().now().time_since_epoch().count())) {}

template <class T>
awaitable<T> sim_cluster::ask(char const* verb, std::function<T(datacenter&)> effect, bool routine, std::string about) {
  auto& faults = routine && faults_.lost_before > 0 ? rarely : faults_;
  testing::caller from{.who = who_, .where = place_, .faults = faults, .limit = 5s, .verb = verb, .subject = about, .routine = routine};
  auto answer = co_await testing::call<T>(from, [datacenter = &datacenter_, effect = std::move(effect)]() -> std::optional<T> {
    if (datacenter->home().now() < datacenter->away_until) return std::nullopt;
    return effect(*datacenter);
  });
  if (!answer) throw no_answer(std::string("The cluster did not answer to ") + verb + ".");
  co_return std::move(*answer);
}

/// `written`: key of the object that the call writes, if other clients may write it too.
template <class T>
awaitable<outcome<T>> sim_cluster::ask_api(char const* verb, std::function<outcome<T>(datacenter&)> effect, std::string written) {
  enum strange : std::size_t { throttled, unsure, raced };
  auto answer = [effect = std::move(effect), written, &answers = answers_](datacenter& center) -> outcome<T> {
    bool writes = !written.empty();
    std::array<testing::chance, 3> const chances{
        {{center.api.throttled, "throttled"}, {writes ? center.api.unsure : 0, "unsure"}, {writes ? center.api.raced : 0, "raced"}}};
    auto struck = center.home().draw(answers, chances);
    if (center.home().now() < center.throttled_until || (struck && struck->which == throttled))
      return gateway::refuse(answer_code::TooManyRequests, "The API server takes no more requests at the moment.");
    if (struck && struck->which == raced) center.touch(written);
    auto done = effect(center);
    if (done && struck && struck->which == unsure)
      return gateway::refuse(answer_code::Ambiguous, "The API server failed; whether it was done is not known.");
    return done;
  };
  return ask<outcome<T>>(verb, std::move(answer), false, std::move(written));
}

awaitable<datacenter::turn> sim_cluster::read_turn() {
  return ask<datacenter::turn>("read lease", [](datacenter& center) { return center.whose_turn(); }, true);
}

awaitable<bool> sim_cluster::write_turn(std::uint64_t read) {
  return ask<bool>("write lease", [me = identity_, read](datacenter& datacenter) { return datacenter.write_turn(me, read); }, true);
}

awaitable<void> sim_cluster::take_turn(clock& time) {
  std::uint64_t seen = 0;
  for (duration unchanged{0};;) {
    try {
      auto there = co_await read_turn();
      unchanged = there.version == seen ? unchanged + looked : duration(0);
      seen = there.version;
      bool free = there.holder.empty() || unchanged > life;
      if (free && co_await write_turn(there.version)) co_return;
    } catch (no_answer const&) {
    }
    co_await time.sleep_for(looked);
  }
}

awaitable<void> sim_cluster::renew_turn(clock& time) {
  for (;;) {
    try {
      auto there = co_await read_turn();
      if (there.holder != identity_) throw std::runtime_error("Another gateway has taken over.");
      if (co_await write_turn(there.version)) co_return;
    } catch (no_answer const&) {
    }
    co_await time.sleep_for(retried);
  }
}

awaitable<void> sim_cluster::keep_turn(clock& time) {
  for (;;) {
    co_await time.sleep_for(renewed);
    co_await app::within(time, given_up, renew_turn(time), "The turn could not be renewed in time.");
  }
}

awaitable<void> sim_cluster::run() {
  for (;;) co_await datacenter_.home().sleep_until(who_, datacenter_.home().now() + 24h);
}
std::unique_ptr<gateway::cluster_feed> sim_cluster::follow() {
  auto reader = datacenter_.follow(who_);
  told_ = reader;
  return std::make_unique<sim_feed>(std::move(reader));
}
std::optional<json::value> sim_cluster::known(gateway::object_key const& key) const {
  auto told = told_.lock();
  if (!told) return {};
  auto found = told->known.find(key_text(key.kind, key.namespace_, key.name));
  return found == told->known.end() ? std::nullopt : std::optional(found->second);
}
awaitable<outcome<json::value>> sim_cluster::read(object_ref object) {
  return ask_api<json::value>("read", [object](datacenter& datacenter) { return datacenter.read(object); });
}
awaitable<outcome<json::value>> sim_cluster::create(json::value manifest) {
  auto key = key_text(manifest);
  return ask_api<json::value>("create", [manifest](datacenter& datacenter) { return datacenter.create(manifest); }, std::move(key));
}
awaitable<outcome<json::value>> sim_cluster::apply(json::value manifest) {
  auto key = key_text(manifest);
  return ask_api<json::value>("apply", [manifest](datacenter& datacenter) { return datacenter.apply(manifest); }, std::move(key));
}
awaitable<outcome<json::value>> sim_cluster::patch(patch_metadata patch) {
  auto key = key_text(patch.object);
  return ask_api<json::value>("patch", [patch](datacenter& datacenter) { return datacenter.patch(patch); }, std::move(key));
}
awaitable<outcome<json::value>> sim_cluster::remove(delete_object command) {
  auto remove_it = [command](datacenter& datacenter) {
    if (datacenter.on_removal_by_service) datacenter.on_removal_by_service(command);
    return datacenter.remove(command);
  };
  return ask_api<json::value>("delete", std::move(remove_it), key_text(command.object));
}
awaitable<outcome<json::value>> sim_cluster::write_status(json::value read, json::value status) {
  auto key = key_text(read);
  return ask_api<json::value>(
      "write status", [read, status](datacenter& datacenter) { return datacenter.write_status(read, status); }, std::move(key));
}
awaitable<outcome<std::string>> sim_cluster::create_job(proto::create_job job) {
  return ask_api<std::string>("create job", [job](datacenter& datacenter) { return datacenter.create_job(job); }, job.run);
}
awaitable<outcome<void>> sim_cluster::delete_job(proto::delete_job job) {
  auto name = job.run + "-" + std::to_string(job.attempt);
  for (;;) {
    auto ended =
        co_await ask_api<bool>("delete job", [job](datacenter& datacenter) { return outcome<bool>(datacenter.remove_job(job)); }, name);
    if (!ended) co_return std::unexpected(ended.error());
    if (*ended) co_return outcome<void>();
    co_await datacenter_.home().sleep_until(who_, datacenter_.home().now() + 500ms);
  }
}
awaitable<outcome<void>> sim_cluster::capture_volumes(proto::capture_volumes command) {
  auto done = co_await ask_api<bool>(
      "capture volumes", [command](datacenter& datacenter) { return datacenter.capture_volumes(command); }, command.run);
  if (!done) co_return std::unexpected(done.error());
  co_return outcome<void>();
}
awaitable<outcome<void>> sim_cluster::delete_capture(proto::delete_capture command) {
  auto done = co_await ask_api<bool>(
      "delete capture", [command](datacenter& datacenter) { return datacenter.delete_capture(command); }, command.name);
  if (!done) co_return std::unexpected(done.error());
  co_return outcome<void>();
}
awaitable<outcome<json::value>> sim_cluster::mint(gateway::minted_secret wanted) {
  auto key = key_text(proto::ref_to<proto::secret>(wanted.owner.namespace_, wanted.name));
  return ask_api<json::value>("mint", [wanted](datacenter& datacenter) { return datacenter.mint(wanted); }, std::move(key));
}
awaitable<outcome<json::value>> sim_cluster::drop(proto::drop_secret command) {
  auto key = key_text(proto::ref_to<proto::secret>(command.owner.namespace_, command.name));
  return ask_api<json::value>("drop", [command](datacenter& datacenter) { return datacenter.drop(command); }, std::move(key));
}
awaitable<outcome<std::string>> sim_cluster::secret(std::string, std::string, std::string) {
  co_return outcome<std::string>("hunter2-secret");
}
awaitable<outcome<json::array>> sim_cluster::endpoint_slices(std::string, std::string) { co_return json::array(); }
/// The workload's part in a hook: it takes time, sometimes fails, and may exceed its timeout.
awaitable<outcome<void>> sim_cluster::hook(std::int64_t timeout_seconds) {
  auto& home = datacenter_.home();
  auto const limit = duration(timeout_seconds * 1000), takes = home.chance().between(10ms, duration(30'000));
  co_await home.sleep_until(who_, home.now() + std::min(limit, takes));
  if (takes > limit) co_return gateway::refuse(answer_code::Unavailable, "It has not ended in time.");
  if (home.chance().chance(0.05)) co_return gateway::refuse(answer_code::Unavailable, "It ended with exit code 1.");
  co_return outcome<void>();
}
/// `exec` is the last hook that freezes the application, `run_job` the first that thaws it (objects.cpp), even if they fail.
awaitable<outcome<void>> sim_cluster::exec(exec_in_pod command) {
  if (command.container == "etcd") co_return outcome<void>();  // a check of its health
  if (datacenter_.on_hook) datacenter_.on_hook(command.run, command.namespace_, true);
  co_return co_await hook(command.timeout_seconds);
}
awaitable<outcome<void>> sim_cluster::run_job(run_user_job job) {
  if (datacenter_.on_hook) datacenter_.on_hook(job.run, job.namespace_, false);
  co_return co_await hook(job.timeout_seconds);
}
awaitable<outcome<void>> sim_cluster::record_event(proto::record_event) { co_return outcome<void>(); }
awaitable<std::optional<std::string>> sim_cluster::note(std::string name) {
  auto found = co_await ask<std::string>(
      "read note", [name](datacenter& datacenter) { return datacenter.notes.contains(name) ? datacenter.notes[name] : std::string(); });
  co_return found.empty() ? std::nullopt : std::optional(found);
}
awaitable<void> sim_cluster::keep_note(std::string name, std::string text) {
  co_await ask<bool>("keep note", [name, text](datacenter& datacenter) { return datacenter.notes[name] = text, true; });
}

}  // namespace kopiur::simulation
