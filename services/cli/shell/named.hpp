#pragma once
#include <expected>
#include <string>

#include "services/cli/shell/session.hpp"

/// Finds the object that a call names by kind and name. Each function throws a complaint when there is none.
namespace kopiur::cli {

proto::kind_info kind_or_complain(std::expected<proto::kind_info, std::string> found);
/// The namespace of objects of this kind in this call: empty for cluster-scoped kinds.
std::string namespace_of(proto::kind_info const& kind, std::string const& ns);
json::value there_or_complain(session& session, proto::object_ref const& object);
/// A reference with the uid of the existing object.
proto::object_ref named_or_complain(session& session, settings const& settings, proto::kind_info const& kind, std::string const& name);

}  // namespace kopiur::cli
