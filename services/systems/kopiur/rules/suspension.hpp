#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "proto/kopiur/names.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which objects are suspended: by the manifest (`spec.suspend`), or by hand (the annotation that `kopiur suspend` writes). All readers use
/// these functions.
namespace kopiur::rules {

/// What the manifest says.
template <class Spec>
  requires requires(Spec const& spec) { spec.suspend; }
bool suspends(Spec const& spec) {
  return spec.suspend;
}
inline bool suspends(proto::cluster_repository_spec const& spec) { return spec.common.suspend; }
inline bool suspends(proto::backup_schedule_spec const& spec) { return spec.schedule.suspend; }

template <class T>
concept suspendable = requires(T const& one) { suspends(one.spec); };
template <class T>
using is_suspendable = std::bool_constant<suspendable<T>>;
using suspendable_kinds = boost::mp11::mp_copy_if<proto::kopiur_kinds, is_suspendable>;

/// What the annotation says: who suspended it, and when. Empty: not suspended by hand.
inline std::string_view suspended_by(proto::object_meta const& meta) {
  return controller::lookup(meta.annotations, proto::annotation::suspended);
}

template <suspendable T>
bool is_suspended(T const& one) {
  return suspends(one.spec) || !suspended_by(one.metadata).empty();
}
inline bool is_suspended(any_repository const& one) { return suspends(*one.spec) || !suspended_by(*one.meta).empty(); }

/// What suspends an object, for messages.
struct suspension {
  proto::object_ref object;
  bool by_manifest = false;
  std::string by_hand{};  ///< the annotation's text; empty: none
};
inline bool holds(suspension const& one) { return one.by_manifest || !one.by_hand.empty(); }

template <suspendable T>
suspension suspension_of(T const& one) {
  return {controller::ref_of(one), suspends(one.spec), std::string(suspended_by(one.metadata))};
}
inline suspension suspension_of(any_repository const& one) {
  return {one.ref(), suspends(*one.spec), std::string(suspended_by(*one.meta))};
}
/// Nothing: the object does not exist, or its kind cannot be suspended.
std::optional<suspension> find_suspension(controller::objects const& all, proto::object_ref const& object);

/// The text of the annotation: `by kopiur suspend at 2026-11-21T06:00:00Z: REASON`.
std::string suspension_note(instant now, std::string_view reason);
/// The time in such a text; nothing: a user wrote another text.
std::optional<instant> suspended_since(std::string_view note);

/// The annotation's text for messages: cut to 200 bytes of whole characters, because it becomes part of conditions.
std::string brief_note(suspension const& one);

/// The field of the manifest that suspends: `spec.suspend`, or `spec.schedule.suspend`.
std::string_view suspend_field(std::string_view kind);
/// How to end the suspension, to follow a colon or semicolon: `set spec.suspend to false`, `run: kopiur resume KIND NAME -n NAMESPACE`, or
/// both.
std::string way_to_resume(suspension const& one);
/// `BackupConfig photos is suspended; set spec.suspend to false.`, by hand `(by ...); run: kopiur resume ...`.
std::string suspended_text(suspension const& one);

}  // namespace kopiur::rules
