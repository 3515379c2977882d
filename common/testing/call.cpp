#include "common/testing/call.hpp"

#include <array>

namespace kopiur::testing {

namespace {
enum blow_kind : std::size_t { lost_before, lost_after, late, twice, crash_before, crash_after };
constexpr std::array names{"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after"};
}  // namespace

call_course course_of(caller const& from) {
  auto& home = from.who.home();
  auto const& f = from.faults;
  std::array<chance, 6> const chances{{{f.lost_before, names[lost_before]},
                                       {f.lost_after, names[lost_after]},
                                       {f.late, names[late]},
                                       {f.twice, names[twice]},
                                       {f.crash_before, names[crash_before]},
                                       {f.crash_after, names[crash_after]}}};
  call_course course;
  course.there = home.chance().between(f.fastest, f.slowest);
  course.back = home.chance().between(f.fastest, f.slowest);
  if (!from.who.alive()) return course;  // a dead process draws no faults
  auto struck = home.draw(from.where, from.who.name(), from.verb, from.subject, chances);
  if (struck || !from.routine) home.note(from.who.name(), from.verb, from.subject, struck ? names[struck->which] : "");
  if (!struck) return course;
  auto delay = dice(struck->luck).between(f.slowest, f.lateness);
  switch (static_cast<blow_kind>(struck->which)) {
    case lost_before:
      course.arrives = false;
      break;
    case lost_after:
      course.answers = false;
      break;
    case late:
      course.there += delay;
      break;
    case twice:
      course.again = course.there + delay;
      break;
    case crash_before:
      home.kill(from.who, "crashed at a call");
      break;
    case crash_after:
      course.kills = true;
      break;
  }
  return course;
}

}  // namespace kopiur::testing
