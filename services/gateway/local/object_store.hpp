#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/files/files.hpp"
#include "common/json/value.hpp"
#include "common/time/clock.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// Creates a data folder, unless it exists. Other users cannot list it, but can reach the volumes below.
void make_data_folder(fs::path const& data);

/// The objects of a data folder as stored on disk, of one kind or (empty) of all, without locking it: for read-only use. Throws
/// std::runtime_error with a sentence when a file is not an object.
object_map read_objects(fs::path const& data, std::string_view kind = {});

/// Another process uses the data folder. The message says which one, and what to do.
class folder_in_use : public std::runtime_error {
 public:
  folder_in_use(fs::path const& data, std::string holder)
      : std::runtime_error("The data folder " + data.string() + " is in use by the process " + holder +
                           ": stop that one first, or name another folder."),
        holder_(std::move(holder)) {}
  /// Its process id, or a phrase when the id is not known yet.
  std::string const& holder() const { return holder_; }

 private:
  std::string holder_;
};

/// The objects of a data folder: `objects/<kind>/<namespace or ->/<name>.json`, one complete file each, with an index of all in memory.
/// Every write has reached the disk before it is reported or returned. The folder is locked: only one process can use it.
/// A write can fail after readers of the folder see it (files::not_durable). The index then agrees with the folder, and the change is
/// reported once finish_writes() has brought it to the disk.
class object_store {
 public:
  /// The current object; nullptr: `key` with `uid` was deleted.
  using told = std::function<void(object_key const& key, std::string const& uid, json::value const* now)>;

  /// Locks the folder and reads it. Throws folder_in_use, or std::runtime_error with a sentence when a file is not an object.
  object_store(fs::path data, clock& time);
  object_store(object_store const&) = delete;

  /// Called after each change, in order. Must not throw.
  void on_change(told tell) { tell_ = std::move(tell); }

  object_map const& all() const { return objects_; }
  json::value const* find(object_key const& key) const;
  /// All objects of a kind, copied.
  std::vector<json::value> of_kind(std::string_view kind) const;

  // Each returns the resulting object. Rules: core/objects.hpp.

  /// If it exists: success when it proves the same run or request, else AlreadyExists.
  outcome<json::value> create(json::value manifest);
  outcome<json::value> apply(json::value manifest);
  outcome<json::value> patch(proto::patch_metadata const& patch);
  /// If it does not exist, or has another uid: success, with a null value.
  outcome<json::value> remove(proto::delete_object const& command);
  /// Only if the object is still as `read` (see `outdated`).
  outcome<json::value> write_status(json::value const& read, json::value status);

  /// Changes an existing object for the adapter's purposes (binding, flags); writes nothing when nothing changes.
  void edit(object_key const& key, std::function<void(json::value&)> const& change);

  /// Brings changes to the disk whose write has failed at the end, and reports them. Each call that changes objects does this first, so it
  /// throws as long as it fails.
  void finish_writes();

  /// A new resource version, higher than every earlier one, also after a crash.
  std::int64_t next_version();
  /// A new random UUID.
  static std::string new_uid();

 private:
  json::value const& put(object_key const& key, json::value object);
  json::value put_or_drop(object_key const& key, json::value object);
  void drop(object_key const& key);
  void report(object_key const& key, std::string const& uid);

  fs::path data_;
  clock& time_;
  files::file lock_;
  told tell_;
  object_map objects_;
  std::map<object_key, std::string> unfinished_;  // with the uid; in the index and in the folder, but not yet reported
  std::int64_t version_ = 0, reserved_ = 0;       // versions up to `reserved_` are reserved in the file
};

}  // namespace kopiur::gateway::local
