#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"

/// Proof of the marks that kopiur writes on users' objects (names with `name_proof::seal`): any user may write an annotation, but only a
/// gateway of this installation can seal one.
namespace kopiur::gateway {

/// Seals marks, and distinguishes sealed marks from others. A seal covers the object's kind, namespace, name and uid, the mark's name and
/// its value. The mark on a new object is sealed without a uid, which does not exist yet. That is valid for `made-for` only, whose value
/// contains a uid.
class seals {
 public:
  /// `secret`: random bytes of this installation.
  explicit seals(std::string secret) : secret_(std::move(secret)) {}

  /// Seals the marks that the command writes. Without a uid in `object` nothing is sealed, since the target is not known exactly.
  void put(proto::patch_metadata& command) const;
  void put(proto::delete_object& command) const;
  void put_on_new(json::value& manifest) const;

  /// The object as readers see it: marks without a valid seal appear under `unproven_name`, and seals are removed.
  json::value judged(json::value object) const;

 private:
  void put(std::map<std::string, std::string>& annotations, proto::object_ref const& object) const;
  bool proves(json::value const& object, std::string_view name, std::string_view mark) const;

  std::string secret_;
};

/// Whether the object has marks, seals or `unproven` names, so that judged() may return something else.
bool is_marked(json::value const& object);

/// The value of a mark of a judged object, proven or not; empty when neither exists.
std::string_view proven_or_not(json::value const& object, std::string_view name);

}  // namespace kopiur::gateway
