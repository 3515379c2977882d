#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

/// What a store holds. Keys are bytes; stores expect UTF-8.
namespace kopiur::blob {

struct object {
  std::string key;
  std::uint64_t size = 0;
  std::optional<instant> modified{};
  std::string tag{};  ///< changes with the content; empty: unknown
  bool operator==(object const&) const = default;
};

/// Which objects to list, and where to continue.
struct listing {
  std::string prefix{};
  std::string delimiter{};  ///< keys that contain it after the prefix are summed up in page::prefixes; empty: none are
  std::string from{};       ///< page::next of the page before; empty: the first page
  int page_size = 1000;     ///< at most; a store may return fewer
};

struct object_page {
  std::vector<object> objects;
  std::vector<std::string> prefixes;
  std::string next;  ///< empty: this is the last page
};

/// One version of an object, or a marker that it was deleted.
struct object_version {
  object content;
  std::string version;
  bool latest = false, delete_marker = false;
};
struct version_page {
  std::vector<object_version> versions;
  std::string next;       ///< empty: this is the last page
  bool supported = true;  ///< false: this store has no versions
};

/// An object, or one version of it.
struct object_name {
  std::string key, version{};  ///< version: empty: the current one
  bool operator==(object_name const&) const = default;
};

/// An object that could not be removed.
struct failed_removal {
  object_name name;
  std::string code, message;
};

/// An upload in parts that was neither completed nor aborted.
struct unfinished_upload {
  std::string key, id;
  std::optional<instant> started{};
};
struct upload_page {
  std::vector<unfinished_upload> uploads;
  std::string next;  ///< empty: this is the last page
};

/// Whether a store keeps the old versions of objects. `never`: it was never turned on.
enum class versioning { never, enabled, suspended };

/// A rule by which the store deletes objects itself.
struct lifecycle_rule {
  std::string id;
  std::string prefix{};
  std::optional<int> expiration_days{};     ///< after that objects are deleted
  std::optional<int> abort_uploads_days{};  ///< after that unfinished uploads are aborted
  bool enabled = true;
  /// Not empty: the rule says more than the other members can; this is its text, and it is stored again as it is.
  std::string verbatim{};
  bool operator==(lifecycle_rule const&) const = default;
};

}  // namespace kopiur::blob
