#pragma once
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

/// Strict YAML: what users write (manifests, settings) to JSON values that still know their lines.
namespace kopiur::config {

/// A place in a file, both from 1; line 0 = unknown.
struct position {
  int line = 0, column = 0;
  auto operator<=>(position const&) const = default;
};

/// What cannot be read, and where. `path` is a field such as `spec.sources[2].pvc`, empty when the text itself is at fault.
struct problem {
  std::string file;
  position at;
  std::string path, what;
  /// `file.yaml:12:5: spec.schedule.cron: what`, with the parts that are known.
  std::string text() const;
};

/// Where each field of a document stands: a member at its key, an item at its first character.
class positions {
 public:
  void add(std::string path, position at) { at_.emplace(std::move(path), at); }
  /// The place of that path, else of the nearest field around it that is in the text.
  position find(std::string_view path) const;

 private:
  std::map<std::string, position, std::less<>> at_;
};

/// One document of a file.
struct manifest {
  json::value content;
  std::string file;
  int document = 0;  ///< index in the file, from 0; documents without content are counted, not returned
  positions where;

  /// A finding about `path`, with its place.
  problem blame(std::string_view path, std::string what) const;
};

/// No document is larger than this (as JSON, aliases expanded): what an API server takes at most.
inline constexpr std::size_t max_document_bytes = 3 << 20;
/// No document has more levels of lists and objects than this (aliases expanded): with an envelope around it, it is within json::bounds.
inline constexpr std::size_t max_document_depth = 100;
/// No file is larger than this.
inline constexpr std::size_t max_file_bytes = 32 << 20;

/// Reads all documents of a text; `file` is what problems call it. Scalars are typed as Kubernetes types them: quoted is text; `true`,
/// `yes`, `on` and their opposites, whole and decimal numbers, null are what they look like; whole numbers keep YAML 1.1's octal (`0755`).
/// Refused: duplicate keys, keys that are no scalars, unknown tags, control characters, what is neither UTF-8 nor UTF-16 with its mark,
/// documents over the limits (which bound aliases too).
[[nodiscard]] std::expected<std::vector<manifest>, problem> read_manifests(std::string_view text, std::string_view file);
/// The same from a file.
[[nodiscard]] std::expected<std::vector<manifest>, problem> read_manifest_file(std::filesystem::path const& file);

/// YAML of a value, block style, members in their order; read_manifests() gives the value back.
std::string to_yaml(json::value const&);

}  // namespace kopiur::config
