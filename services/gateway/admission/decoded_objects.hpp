#pragma once
#include <map>
#include <set>
#include <string>

#include "services/controller/core/objects.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

/// The objects beside which manifests are judged (admission.hpp), each decoded once, when it changes: a review costs nothing per object. To
/// save memory it has only the kinds that users write, and of the Backups of one BackupConfig only the first by name, without its status:
/// judges ask no more than whether a config has any, and there are thousands. Objects that do not decode are absent: they were reported
/// when they were written.
class decoded_objects {
 public:
  /// A new or changed object, as the mirror shows it.
  void take(json::value const& object);
  void drop(object_key const& key);
  controller::objects const& all() const { return objects_; }

 private:
  using config_key = controller::name_key;
  void show(object_key const& key, std::string const* body);
  void move_backup(object_key const& key, std::string config);
  void show_first_of(config_key const& config, std::string const& former);

  controller::objects objects_;
  std::map<controller::name_key, std::string> config_of_;   // of each Backup
  std::map<config_key, std::set<std::string>> backups_of_;  // their names
};

}  // namespace kopiur::gateway
