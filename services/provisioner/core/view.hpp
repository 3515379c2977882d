#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "services/controller/core/objects.hpp"
#include "services/systems/buckety/rules/driver.hpp"
#include "services/systems/buckety/rules/standing.hpp"

/// What a decision about a Buckety or an access is made from.
namespace kopiur::provisioner {

/// The operator's configuration; an absent file is a configuration without backends.
struct settings_view {
  buckety::controller_config const& config;
  std::span<buckety::driver_rules const> drivers;
};

/// Which object has stamped which name: a name on a store belongs to one Buckety. Kept up to date object by object.
class stamped_names {
 public:
  /// `object`: nullptr: there is none of that place any more.
  void note(controller::name_key const& place, proto::buckety const* object);
  /// `namespace/name` of another object that has stamped that name on that store; nothing: there is none.
  std::optional<std::string> owner(std::string const& store, std::string const& name, controller::name_key const& apart_from) const;

 private:
  using stamp = std::pair<std::string, std::string>;
  std::map<stamp, std::set<controller::name_key>> owners_;
  std::map<controller::name_key, stamp> stamps_;
};

/// A Buckety and the objects around it. Pointers are valid until the next suspension.
struct buckety_view {
  proto::buckety const& object;
  settings_view settings;
  std::vector<proto::buckety_access const*> explicit_accesses;
  proto::buckety_access const* implicit_access = nullptr;  ///< made for its defaultAccess: an owner reference proves that
  bool implicit_name_taken = false;                        ///< another access has the name that it would get
  std::vector<std::string> repositories;                   ///< that have their bucket from it
  bool implicit_used = false;                              ///< one of these uses the access of defaultAccess
  bool complete = false;                                   ///< the gateway has listed the cluster: what is not here does not exist
  stamped_names const& names;
};
buckety_view view_of(controller::objects const& all, proto::buckety const& object, settings_view settings, stamped_names const& names);

/// Whether the backend that it was stamped with can serve it.
buckety::backend_judgement judge(proto::buckety const& object, settings_view settings);

/// Whether the object has that name on that store, or may still get it: by its stamp, or else by its spec and labels. In doubt it may.
bool may_have(proto::buckety const& object, settings_view settings, std::string const& store, std::string const& name);

/// The objects whose work depends on a changed object.
std::vector<proto::object_ref> concerned_by(controller::objects const& all, proto::object_ref const& changed);

}  // namespace kopiur::provisioner
