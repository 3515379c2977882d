#include "services/cli/shell/named.hpp"

namespace kopiur::cli {

proto::kind_info kind_or_complain(std::expected<proto::kind_info, std::string> found) {
  if (!found) throw complaint(usage, found.error());
  return *found;
}

std::string namespace_of(proto::kind_info const& kind, std::string const& ns) { return kind.scope == proto::kind_scope::Cluster ? "" : ns; }

json::value there_or_complain(session& session, proto::object_ref const& object) {
  auto there = session.document(object);
  if (there.is_null())
    throw complaint(not_found,
                    "There is no " + object.kind + " " + (object.namespace_.empty() ? "" : object.namespace_ + "/") + object.name + ".");
  return there;
}

proto::object_ref named_or_complain(session& session, settings const& settings, proto::kind_info const& kind, std::string const& name) {
  proto::object_ref object{std::string(kind.kind), namespace_of(kind, settings.ns), name, ""};
  object.uid = there_or_complain(session, object).text("metadata.uid");
  return object;
}

}  // namespace kopiur::cli
