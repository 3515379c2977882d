#include "common/testing/world.hpp"

#include <boost/asio.hpp>

namespace kopiur::testing {

using boost::system::error_code;

namespace {
std::string text_of(std::exception_ptr failed) {
  try {
    std::rethrow_exception(failed);
  } catch (std::exception const& e) {
    return e.what();
  } catch (...) {  // not handled here: it ends the process with this text
    return "an exception of an unknown type";
  }
}

template <class Handler>
class suspended_by final : public suspended {
 public:
  explicit suspended_by(Handler handler) : handler_(std::move(handler)) {}
  void resume(error_code error) override {
    auto handler = std::move(handler_);
    delete this;  // before the coroutine continues: it may wait again
    std::move(handler)(error);
  }

 private:
  Handler handler_;
};
}  // namespace

process::process(world& home, std::string name)
    : home_(home),
      name_(std::move(name)),
      label_(mixed(name_)),
      // Only this thread uses the loop: no locks needed.
      loop_(std::make_unique<asio::io_context>(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE)),
      open_(loop_->get_executor()) {}

process::~process() = default;

instant process::wall() const { return home_.wall() + skew_; }

world::world(world_options options)
    : options_(std::move(options)),
      chance_(mixed(options_.seed, options_.order)),
      faults_(options_.seed, options_.allowed),
      now_(options_.start),
      trace_(options_.trace) {}

world::~world() {
  on_end_ = nullptr;
  for (auto& each : processes_) kill(*each);
  reap();
}

std::shared_ptr<process> world::start(std::string name, std::function<asio::awaitable<void>(process&)> main) {
  auto born = std::make_shared<process>(*this, std::move(name));
  if (auto skew = skews_.find(born->name_); skew != skews_.end()) born->skew_ = skew->second;
  born->main_ = std::move(main);
  processes_.push_back(born);
  note(born->name_, "started");
  auto ended = [this, who = born.get()](std::exception_ptr failed) { kill(*who, failed ? text_of(failed) : "returned"); };
  asio::co_spawn(*born->loop_, born->main_(*born), asio::bind_cancellation_slot(born->stop_.slot(), std::move(ended)));
  ready(*born);
  return born;
}

void world::kill(process& who, std::string why) {
  if (!who.alive_) return;
  who.alive_ = false;
  who.end_ = std::move(why);
  note(who.name_, "ended", {}, who.end_);
  unready(who);
  doomed_.push_back(&who);
}

void world::terminate(process& who) {
  note(who.name_, "terminating");
  post(who, [&who] { who.stop_.emit(asio::cancellation_type::terminal); });
}

void world::post(process& who, event what) {
  if (!who.alive_) return;
  asio::post(*who.loop_, std::move(what));
  ready(who);
}

void world::stall(process& who, instant until) {
  if (!who.alive_) return;
  who.stalled_ = true;
  unready(who);
  note(who.name_, "stalled");
  at(until, [this, sleeping = std::weak_ptr(*std::ranges::find(processes_, &who, &std::shared_ptr<process>::get))] {
    auto woken = sleeping.lock();
    if (!woken || !woken->alive_) return;
    woken->stalled_ = false;
    ready(*woken);
  });
}

void world::at(instant when, event what) {
  if (free_events_.empty()) {
    free_events_.push_back(static_cast<std::uint32_t>(events_.size()));
    events_.emplace_back();
  }
  auto slot = free_events_.back();
  free_events_.pop_back();
  events_[slot] = std::move(what);
  due_.push({std::max(when, now_), chance_.roll(), slot, 0, true});
}

void world::trouble(instant when, char const* name, event what) {
  at(when, [this, id = faults_.next(faults_.place(name)), name, what = std::move(what)]() mutable {
    if (!faults_.permits(id, name, {now_, steps_})) return;
    note("world", name);
    what();
  });
}

void world::step_clock(duration by) {
  wall_offset_ += by;
  note("world", "stepped every clock by", kopiur::to_text(std::chrono::abs(by)), by < duration::zero() ? "back" : "forth");
  wake_dozing();
}

void world::step_clock(std::string const& process_name, duration by) {
  skews_[process_name] += by;
  for (auto& each : processes_)
    if (each->name_ == process_name) each->skew_ += by;
  note(process_name, "stepped its clock by", kopiur::to_text(std::chrono::abs(by)), by < duration::zero() ? "back" : "forth");
  wake_dozing();
}

/// A sleeper notices a stepped clock when it reads the clock, which real sleepers do once a second.
void world::wake_dozing() {
  at(now_ + chance_.between(duration(0), duration(1000)), [this] {
    for (std::uint32_t slot = 0; slot < sleepers_.size(); ++slot)
      if (sleepers_[slot].owner && sleepers_[slot].dozing) finish({slot, sleepers_[slot].turn});
  });
}

wait_id world::enlist(process& who) {
  if (free_sleepers_.empty()) {
    free_sleepers_.push_back(static_cast<std::uint32_t>(sleepers_.size()));
    sleepers_.emplace_back();
  }
  wait_id id{free_sleepers_.back(), 0};
  free_sleepers_.pop_back();
  auto& entry = sleepers_[id.slot];
  id.turn = ++entry.turn;
  entry.owner = &who;
  entry.timed = entry.dozing = false;
  return id;
}

asio::awaitable<void> world::wait(process& who, std::move_only_function<void(wait_id)> enrol) {
  auto start = [this, &who, enrol = std::move(enrol)]<class Handler>(Handler handler) mutable {
    auto id = enlist(who);
    if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected())
      slot.assign([this, id](asio::cancellation_type) { finish(id, asio::error::operation_aborted); });
    sleepers_[id.slot].caller = std::make_unique<suspended_by<Handler>>(std::move(handler));
    if (who.alive_) enrol(id);
  };
  return asio::async_initiate<asio::use_awaitable_t<> const, void(error_code)>(std::move(start), asio::use_awaitable);
}

asio::awaitable<void> world::sleep_until(process& who, instant when) {
  return wait(who, [this, when](wait_id id) { schedule(when, id); });
}

asio::awaitable<void> world::doze_until(process& who, instant when) {
  return wait(who, [this, when](wait_id id) {
    sleepers_[id.slot].dozing = true;
    schedule(when, id);
  });
}

void world::schedule(instant when, wait_id id) {
  sleepers_[id.slot].timed = true;
  due_.push({std::max(when, now_), chance_.roll(), id.slot, id.turn, false});
}

bool world::waiting(wait_id id) const {
  auto const& entry = sleepers_[id.slot];
  return entry.turn == id.turn && entry.owner && entry.owner->alive_;
}

void world::finish(wait_id id, error_code error) {
  if (!waiting(id)) return;
  auto& entry = sleepers_[id.slot];
  auto& owner = *std::exchange(entry.owner, nullptr);
  ++entry.turn;
  if (entry.timed) ++void_;
  free_sleepers_.push_back(id.slot);
  asio::post(*owner.loop_, [caller = std::move(entry.caller), error]() mutable { caller.release()->resume(error); });
  ready(owner);
}

bool world::is_void(timetable::entry const& one) const { return !one.event && sleepers_[one.slot].turn != one.turn; }

bool world::falls_due(instant limit) {
  if (void_ > 1024 && void_ > due_.size() / 2) {
    due_.sweep([this](auto const& one) { return is_void(one); });
    void_ = 0;
  }
  while (!due_.empty() && is_void(due_.soonest())) {
    due_.pop();
    if (void_) --void_;
  }
  return !due_.empty() && due_.soonest().when <= limit;
}

void world::run_due() {
  auto next = due_.soonest();
  due_.pop();
  if (!next.event) {
    sleepers_[next.slot].timed = false;  // its entry was popped: no void entry remains
    finish({next.slot, next.turn});
    return made_step(1);
  }
  auto what = std::move(events_[next.slot]);
  events_[next.slot] = nullptr;
  free_events_.push_back(next.slot);
  what();
  made_step(2);
}

bool world::run_ready(process& who) {
  auto label = who.label_;
  try {
    if (!who.loop_->poll_one()) return false;
  } catch (...) {  // from a plain handler; an exception of a coroutine goes to its owner
    kill(who, text_of(std::current_exception()));
  }
  made_step(label);
  return true;
}

void world::made_step(std::uint64_t what) {
  hash_ = mixed(hash_, what ^ static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  ++steps_;
  if (++here_ > options_.patience)
    violate("livelock", "More than " + std::to_string(options_.patience) + " steps were made at one instant.");
  if (watch_) watch_();
}

bool world::step(instant limit) {
  while (!violated_) {
    if (!doomed_.empty()) {
      reap();
      made_step(3);
      return true;
    }
    auto due_now = falls_due(now_);
    if (auto choices = ready_.size() + due_now; choices > 0) {
      auto choice = choices == 1 ? 0 : chance_.below(choices);
      if (choice == ready_.size()) return run_due(), true;
      auto& who = *ready_[choice];
      if (run_ready(who)) return true;
      unready(who);
      continue;
    }
    if (!falls_due(limit)) return false;
    now_ = due_.soonest().when;
    here_ = 0;
  }
  return false;
}

bool world::run_until(instant when) {
  while (step(when));
  if (violated_) return false;
  now_ = std::max(now_, when);
  return true;
}

void world::violate(std::string rule, std::string text) {
  if (violated_) return;
  violated_ = violation{std::move(rule), std::move(text), options_.seed, options_.order, now_, steps_, faults_.struck(), trace()};
}

void world::note(std::string_view who, std::string_view did, std::string_view what, std::string_view outcome) {
  if (!trace_.keeps()) return;
  auto& line = trace_.next();
  line.step = steps_;
  line.time = now_;
  line.who.assign(who);
  line.did.assign(did);
  line.what.assign(what);
  line.outcome.assign(outcome);
}

void world::ready(process& who) {
  if (who.ready_at_ >= 0 || who.stalled_ || !who.alive_) return;
  who.ready_at_ = static_cast<std::ptrdiff_t>(ready_.size());
  ready_.push_back(&who);
}

void world::unready(process& who) {
  if (who.ready_at_ < 0) return;
  auto hole = static_cast<std::size_t>(std::exchange(who.ready_at_, -1));
  if (hole + 1 != ready_.size()) {
    ready_[hole] = ready_.back();
    ready_[hole]->ready_at_ = static_cast<std::ptrdiff_t>(hole);
  }
  ready_.pop_back();
}

/// Runs between steps, so that no coroutine is destroyed on its own stack.
void world::reap() {
  while (!doomed_.empty()) {
    auto who = std::ranges::find(processes_, doomed_.back(), &std::shared_ptr<process>::get);
    doomed_.pop_back();
    auto gone = std::move(*who);
    processes_.erase(who);
    remove(*gone);
    if (on_end_) on_end_(gone->name_, gone->end_);
  }
}

void world::remove(process& who) {
  for (std::uint32_t slot = 0; slot < sleepers_.size(); ++slot) {
    if (sleepers_[slot].owner != &who) continue;
    if (sleepers_[slot].timed) ++void_;
    ++sleepers_[slot].turn;
    sleepers_[slot].owner = nullptr;
    free_sleepers_.push_back(slot);
    auto last = std::move(sleepers_[slot].caller);  // destroyed here: it posts the end of its coroutine to the loop
  }
  who.open_.reset();
  who.loop_.reset();  // destroys queued handlers, and with them the coroutine frames
  who.main_ = nullptr;
}

asio::awaitable<void> sim_clock::sleep_for(duration length) {
  auto& home = who_.home();
  return home.sleep_until(who_, home.now() + length);
}

asio::awaitable<void> sim_clock::sleep_until(instant when) {
  auto& home = who_.home();
  for (auto left = when - now(); left > duration::zero(); left = when - now()) co_await home.doze_until(who_, home.now() + left);
}

}  // namespace kopiur::testing
