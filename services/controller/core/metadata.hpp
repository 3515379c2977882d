#pragma once
#include <string_view>

#include "services/controller/core/objects.hpp"

/// Metadata of objects of any kind, as every service reads it.
namespace kopiur::controller {

/// The manifest of an object in the local folder has vanished: the object is suspended, and nothing is deleted (decisions.md section 10).
bool is_manifest_missing(proto::object_meta const& meta);

/// Whether this run created it: by the annotation or label that create-or-prove uses (proto/events/command.hpp). A name alone proves
/// nothing.
bool is_made_by(proto::object_meta const& meta, std::string_view run);
/// Whether it has that finalizer.
bool has_finalizer(proto::object_meta const& meta, std::string_view finalizer);

}  // namespace kopiur::controller
