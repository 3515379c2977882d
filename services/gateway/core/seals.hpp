#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"

/// Proof of the marks that kopiur writes on objects of users (names with `name_proof::seal`): anybody may write an annotation, but only
/// a gateway of this installation can seal one.
namespace kopiur::gateway {

/// Seals marks, and tells sealed ones from others. A seal covers the object's kind, namespace, name and uid, the mark's name and its value.
/// The mark on a new object is sealed without a uid, for there is none yet; that counts for `made-for` alone, whose value holds a uid.
class seals {
 public:
  /// `secret`: random bytes of this installation.
  explicit seals(std::string secret) : secret_(std::move(secret)) {}

  /// Seals the marks that the command writes. Without a uid in `object` nothing is sealed: it is not known whose they become.
  void put(proto::patch_metadata& command) const;
  void put(proto::delete_object& command) const;
  void put_on_new(json::value& manifest) const;

  /// The object as readers are to see it: marks that no seal proves stand under `unproven_name`, and seals are left out.
  json::value judged(json::value object) const;

 private:
  void put(std::map<std::string, std::string>& annotations, proto::object_ref const& object) const;
  bool proves(json::value const& object, std::string_view name, std::string_view mark) const;

  std::string secret_;
};

/// Whether the object has marks, or what looks like one, so that judged() may differ from it.
bool is_marked(json::value const& object);

/// What stands under a mark of a judged object, proven or not; empty when neither is there.
std::string_view proven_or_not(json::value const& object, std::string_view name);

}  // namespace kopiur::gateway
