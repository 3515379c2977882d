#pragma once
#include "common/testing/world.hpp"

namespace kopiur::testing {

/// Latency of a call to anything, and the probability of each fault in one call.
struct call_faults {
  double lost_before = 0;   ///< never arrives: no effect, no answer
  double lost_after = 0;    ///< takes effect, no answer
  double late = 0;          ///< arrives up to `lateness` later, perhaps after the caller gave up
  double twice = 0;         ///< takes effect again, up to `lateness` later
  double crash_before = 0;  ///< the caller dies at the call; nothing was sent
  double crash_after = 0;   ///< the caller dies once the call took effect
  duration fastest{0};      ///< one way
  duration slowest{3};      ///< one way, unless late
  duration lateness{60'000};
};

/// The calling process, and how long it waits for an answer.
struct caller {
  process& who;
  site& where;  ///< where the faults of this caller are drawn
  call_faults const& faults;
  duration limit{5000};
  char const* verb = "called";  ///< for the trace
  std::string_view subject = {};
  bool routine = false;  ///< so frequent that the trace shows it only with a fault
};

/// The fate of one call. All durations count from the time of sending.
struct call_course {
  bool arrives = true, answers = true, kills = false;
  duration there{0}, back{0};
  std::optional<duration> again;
};
/// Draws the fate of a call; may kill the caller (crash_before).
call_course course_of(caller const& from);

/// Calls something that lives in the world. `effect` runs on no process's stack, at another instant, perhaps twice, perhaps after the
/// caller's death, so it holds values only. It returns nothing when the callee cannot answer. The caller gets nothing when no answer came
/// within the limit: the effect may then have happened, or may still happen. Can be cancelled.
template <class T>
asio::awaitable<std::optional<T>> call(caller from, std::move_only_function<std::optional<T>()> effect) {
  auto& home = from.who.home();
  auto course = course_of(from);
  auto send = [&home, course, who = &from.who, sent = home.now(), limit = from.limit,
               effect = std::move(effect)](reply<std::optional<T>> answer) mutable {
    auto give_up = [&home, sent, limit, answer] { home.at(sent + limit, [answer] { answer(std::nullopt); }); };
    if (!course.arrives || course.there + course.back > limit) give_up();
    if (!course.arrives) return;
    home.at(sent + course.there, [=, &home, effect = std::move(effect)]() mutable {
      auto result = effect();
      if (course.kills && answer.wanted()) home.kill(*who, "crashed after its call took effect");
      if (!result || !course.answers)
        give_up();
      else
        home.at(home.now() + course.back, [answer, result = std::move(result)]() mutable { answer(std::move(result)); });
      if (course.again) home.at(sent + *course.again, [effect = std::move(effect)]() mutable { effect(); });
    });
  };
  return home.ask<std::optional<T>>(from.who, std::move(send));
}

}  // namespace kopiur::testing
