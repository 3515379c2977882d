#include "services/controller/core/slots.hpp"

namespace kopiur::controller {

namespace {

std::string slots(std::uint64_t count) { return std::to_string(count) + (count == 1 ? " slot" : " slots"); }

}  // namespace

std::string sentence(skipped const& s) {
  return "The slot " + to_text(s.slot) + " was skipped: " + s.blocked_by.front() +
         (s.blocked_by.size() > 1 ? " and " + std::to_string(s.blocked_by.size() - 1) + " more" : "") + " of the slot " +
         to_text(s.blocked_by_slot) + " still runs, and concurrencyPolicy is Forbid.";
}

std::string sentence(missed const& m) {
  auto when = m.count == 1 ? " (" + to_text(m.newest) + ")" : " from " + to_text(m.oldest) + " to " + to_text(m.newest);
  auto why = m.too_late ? "later than startingDeadlineSeconds allows" : "there is a newer one";
  return slots(m.count) + when + (m.count == 1 ? " was missed: " : " were missed: ") + why + ".";
}

std::string sentence(passed const& p) {
  return slots(p.count) + " up to " + to_text(p.until) + " passed while " +
         (p.while_held ? "no Backup could be made." : "the schedule was suspended.");
}

std::string sentence(held_back const& h) {
  return "The slot " + to_text(h.slot) + " made no Backup: " + h.why.message + " After that, the newest missed slot runs.";
}

}  // namespace kopiur::controller
