#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/testing/dice.hpp"
#include "common/testing/faults.hpp"
#include "common/testing/timetable.hpp"
#include "common/testing/trace.hpp"
#include "common/time/clock.hpp"

/// The simulation kernel: the services' own coroutines, many processes, one thread, virtual time, one seed. Code here, and code that runs
/// in it, must not depend on real time or on addresses: the same options give the same run, step for step.
namespace kopiur::testing {

namespace asio = boost::asio;
class world;

/// One simulated operating-system process. Everything spawned on its loop dies with it at once.
class process {
 public:
  process(world& home, std::string name);
  process(process const&) = delete;
  ~process();

  world& home() const { return home_; }
  /// Where its coroutines run. Use it only inside the process: work posted from outside would not make the process ready.
  asio::io_context& loop() { return *loop_; }
  std::string const& name() const { return name_; }
  /// False from the instant of its death: its ports must then have no effect.
  bool alive() const { return alive_; }
  /// The wall clock of its machine: steady time plus all clock steps so far.
  instant wall() const;

 private:
  friend class world;
  world& home_;
  std::string name_, end_;  // how it ended
  std::uint64_t label_;     // of the name, for the hash of the run
  bool alive_ = true, stalled_ = false;
  std::ptrdiff_t ready_at_ = -1;  // index among the ready processes; -1 = not ready
  duration skew_{0};
  asio::cancellation_signal stop_;
  std::function<asio::awaitable<void>(process&)> main_;  // kept alive: it may be a coroutine with captures
  std::unique_ptr<asio::io_context> loop_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> open_;
};

/// One wait of one coroutine. Stale ids are harmless.
struct wait_id {
  std::uint32_t slot = 0, turn = 0;
};

/// A suspended coroutine.
class suspended {
 public:
  virtual ~suspended() = default;
  /// Called once, on its loop; deletes this object.
  virtual void resume(boost::system::error_code) = 0;
};

/// The answer to a waiting call. Copies answer the same call, and only the first answer counts. An answer to a caller that died or gave up
/// is dropped.
template <class T>
class reply {
 public:
  reply() = default;
  reply(world& home, wait_id id, std::optional<T>& where) : home_(&home), id_(id), where_(&where) {}
  /// True while a caller waits for it.
  bool wanted() const;
  void operator()(T value) const;

 private:
  world* home_ = nullptr;
  wait_id id_;
  std::optional<T>* where_ = nullptr;  // in the caller's frame: used only while the wait lives
};

struct world_options {
  std::uint64_t seed = 1;
  std::uint64_t order = 0;                    ///< another scheduling order, with the same planned faults
  std::optional<std::set<fault_id>> allowed;  ///< only these faults strike; none = all that the seed chooses
  instant start{std::chrono::days(20'454)};   ///< 2026-01-01
  std::size_t trace = 200;                    ///< number of notes kept
  std::uint64_t patience = 1'000'000;         ///< steps at one instant before it counts as a livelock
};

/// Owns steady time, the processes, and everything that is due: waits of processes and events of the world (a delivery, a crash, an edit).
class world {
 public:
  using event = std::move_only_function<void()>;

  explicit world(world_options options = {});
  world(world const&) = delete;
  ~world();

  /// Steady time. It jumps to the next due entry when no process is ready, so a run costs only what its events cost.
  instant now() const { return now_; }
  std::uint64_t steps() const { return steps_; }
  /// Decides everything that is not a fault: which process runs next, how long a call takes.
  dice& chance() { return chance_; }
  /// A separate generator for a purpose, independent of the rest of the run. The same name gives the same numbers.
  dice fork(std::string_view purpose) const { return dice(mixed(options_.seed, mixed(purpose))); }

  /// Starts `main` in a new process. When it returns or throws, the process ends.
  std::shared_ptr<process> start(std::string name, std::function<asio::awaitable<void>(process&)> main);
  /// From this instant nothing that the process does has an effect, and no call returns to it. Safe inside its own call.
  void kill(process& who, std::string why = "killed");
  /// Asks its main coroutine to stop, as SIGTERM does: by cancellation. It may take its time to end.
  void terminate(process& who);
  /// Runs `what` inside the process, if it is still alive then.
  void post(process& who, event what);
  /// The process gets no CPU until `until`: answers wait, time continues.
  void stall(process& who, instant until);
  /// Called between steps, once for each process that ended, with its name and the reason; it may start the next one.
  void on_end(std::function<void(std::string const& name, std::string const& why)> hook) { on_end_ = std::move(hook); }

  /// Runs `what` at `when` (now, if that has passed) on no process's stack. The seed chooses the order at one instant.
  void at(instant when, event what);
  /// The same for planned trouble (a crash, a user's edit): counted as a fault, and left out when shrinking leaves it out.
  void trouble(instant when, char const* name, event what);
  /// Steps the wall clock of every machine, or of the processes of one name (also after restarts). Steady time does not change.
  void step_clock(duration by);
  void step_clock(std::string const& process_name, duration by);
  /// The wall clock of a machine without a clock step of its own.
  instant wall() const { return now_ + wall_offset_; }

  /// An opportunity for a fault; see fault_ledger::draw.
  std::optional<fault_ledger::blow> draw(site& where, std::span<testing::chance const> chances) {
    return faults_.draw(where, chances, {now_, steps_});
  }
  /// The same for a call, for which a scenario may have ordered a fault.
  std::optional<fault_ledger::blow> draw(site& where, std::string_view who, std::string_view verb, std::string_view subject,
                                         std::span<testing::chance const> chances) {
    auto ordered = faults_.ordered(where, who, verb, subject, chances, {now_, steps_});
    return ordered ? ordered : draw(where, chances);
  }
  fault_ledger& faults() { return faults_; }

  /// Suspends a coroutine of `who` until finish(id). Can be cancelled: operation_aborted, inside a live process. `enrol` is called at once
  /// with the wait's id. For a dead caller it is not called, and the wait never returns.
  asio::awaitable<void> wait(process& who, std::move_only_function<void(wait_id)> enrol);
  /// Ports use this for each call: `send` gets the reply that the caller waits for. `send` must hold values, not references into the
  /// caller, because the caller may be dead when the call takes effect.
  template <class T>
  asio::awaitable<T> ask(process& who, std::move_only_function<void(reply<T>)> send);
  /// Sleeps until an instant of steady time.
  asio::awaitable<void> sleep_until(process& who, instant when);
  /// Sleeps until an instant of steady time, or some milliseconds after the next step of a wall clock.
  asio::awaitable<void> doze_until(process& who, instant when);
  /// True while a coroutine in a live process waits for it.
  bool waiting(wait_id) const;
  /// Ends a wait; does nothing when the id is stale.
  void finish(wait_id, boost::system::error_code = {});

  /// One step: removes dead processes, or runs one ready handler of one process, or one due entry. False when nothing is left up to
  /// `limit`, or a rule was violated.
  bool step(instant limit = instant::max());
  /// Steps until nothing is left up to `when`, then sets the time to `when`. False when a rule was violated.
  bool run_until(instant when);
  /// Called after each step: the place to check invariants.
  void watch(std::function<void()> check) { watch_ = std::move(check); }
  /// Ends the run with this violation; the first one counts. May be called from anywhere.
  void violate(std::string rule, std::string text);
  std::optional<violation> const& violated() const { return violated_; }

  /// Adds one line to the trace, which keeps the last options.trace of them. Cheap: copies texts, formats nothing.
  void note(std::string_view who, std::string_view did, std::string_view what = {}, std::string_view outcome = {});
  std::string trace() const { return trace_.to_text(); }
  /// A hash of all steps so far: equal for equal runs.
  std::uint64_t hash() const { return hash_; }

 private:
  struct sleeper {
    process* owner = nullptr;
    std::uint32_t turn = 0;
    bool timed = false, dozing = false;
    std::unique_ptr<suspended> caller;
  };
  wait_id enlist(process& who);
  void schedule(instant when, wait_id id);
  bool is_void(timetable::entry const&) const;
  bool falls_due(instant limit);
  void run_due();
  bool run_ready(process& who);
  void made_step(std::uint64_t what);
  void ready(process& who);
  void unready(process& who);
  void wake_dozing();
  void reap();
  void remove(process& who);

  world_options options_;
  dice chance_;
  fault_ledger faults_;
  instant now_;
  duration wall_offset_{0};
  std::map<std::string, duration> skews_;
  std::uint64_t steps_ = 0, hash_ = 0, here_ = 0;  // here_: steps at this instant
  std::vector<std::shared_ptr<process>> processes_;
  std::vector<process*> ready_;
  std::vector<process*> doomed_;
  timetable due_;
  std::size_t void_ = 0;  // entries of due_ whose wait is over
  std::vector<sleeper> sleepers_;
  std::vector<std::uint32_t> free_sleepers_, free_events_;
  std::vector<event> events_;
  trace_ring trace_;
  std::optional<violation> violated_;
  std::function<void()> watch_;
  std::function<void(std::string const&, std::string const&)> on_end_;
};

/// The clock of a process in a world.
class sim_clock final : public clock {
 public:
  explicit sim_clock(process& who) : who_(who) {}
  instant now() const override { return who_.wall(); }
  asio::awaitable<void> sleep_until(instant when) override;
  asio::awaitable<void> sleep_for(duration length) override;
  duration steady() const override { return who_.home().now().time_since_epoch(); }

 private:
  process& who_;
};

template <class T>
bool reply<T>::wanted() const {
  return home_ && home_->waiting(id_);
}

template <class T>
void reply<T>::operator()(T value) const {
  if (!wanted()) return;
  where_->emplace(std::move(value));
  home_->finish(id_);
}

template <class T>
asio::awaitable<T> world::ask(process& who, std::move_only_function<void(reply<T>)> send) {
  std::optional<T> value;
  co_await wait(who, [&](wait_id id) { send(reply<T>(*this, id, value)); });
  co_return std::move(*value);
}

}  // namespace kopiur::testing
