#include "services/systems/kopiur/rules/suspension.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

constexpr std::string_view before_time = " at ", before_reason = ": ";

}  // namespace

std::optional<suspension> find_suspension(controller::objects const& all, object_ref const& object) {
  auto look = [&]<class T>(std::type_identity<T>) {
    auto* one = find(all.of<T>(), object.namespace_, object.name);
    return one ? std::optional(suspension_of(*one)) : std::nullopt;
  };
  return visit_kind(suspendable_kinds{}, object.kind, look, std::optional<suspension>());
}

std::string suspension_note(instant now, std::string_view reason) {
  auto note = "by kopiur suspend" + std::string(before_time) + to_text(std::chrono::floor<std::chrono::seconds>(now));
  return reason.empty() ? note : note + std::string(before_reason) + std::string(reason);
}

std::optional<instant> suspended_since(std::string_view note) {
  auto index = note.find(before_time);
  if (index == note.npos) return {};
  auto time = note.substr(index + before_time.size());
  return instant_from(time.substr(0, time.find(before_reason)));
}

std::string brief_note(suspension const& one) {
  constexpr std::size_t most = 200;
  auto& note = one.by_hand;
  if (note.size() <= most) return note;
  auto end = most;
  while (end > 0 && (static_cast<unsigned char>(note[end]) & 0xC0) == 0x80) --end;
  return note.substr(0, end) + "...";
}

std::string_view suspend_field(std::string_view kind) {
  return kind == backup_schedule::info.kind ? "spec.schedule.suspend" : "spec.suspend";
}

std::string way_to_resume(suspension const& one) {
  auto& object = one.object;
  auto edit = one.by_manifest ? "set " + std::string(suspend_field(object.kind)) + " to false" : std::string();
  if (one.by_hand.empty()) return edit;
  auto where = object.namespace_.empty() ? std::string() : " -n " + object.namespace_;
  return edit + (edit.empty() ? "" : " and ") + "run: kopiur resume " + object.kind + " " + object.name + where;
}

std::string suspended_text(suspension const& one) {
  auto who = one.by_hand.empty() ? std::string() : " (" + brief_note(one) + ")";
  return one.object.kind + " " + one.object.name + " is suspended" + who + "; " + way_to_resume(one) + (one.by_hand.empty() ? "." : "");
}

}  // namespace kopiur::rules
