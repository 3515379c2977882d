#pragma once
#include <string_view>

#include "services/controller/core/objects.hpp"

/// What is written on objects of any kind, as every service reads it.
namespace kopiur::controller {

/// The manifest of an object of the local folder has vanished: it is suspended, and nothing is deleted (decisions.md section 10).
bool is_manifest_missing(proto::object_meta const& meta);

/// This run made it: by the annotation or the label that create-or-prove goes by (proto/events/command.hpp). A name alone proves nothing.
bool is_made_by(proto::object_meta const& meta, std::string_view run);
/// Does it bear that finalizer?
bool has_finalizer(proto::object_meta const& meta, std::string_view finalizer);

}  // namespace kopiur::controller
