#pragma once
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/json/value.hpp"

/// Strict YAML: reads what users write (manifests, settings) into JSON values and keeps their line numbers.
namespace kopiur::config {

/// A position in a file: line and column from 1; line 0 = unknown.
struct position {
  int line = 0, column = 0;
  auto operator<=>(position const&) const = default;
};

/// Why a text cannot be read, and where. `path` is a field such as `spec.sources[2].pvc`; it is empty when the text itself is wrong.
struct problem {
  std::string file;
  config::position position;
  std::string path, what;
  /// `file.yaml:12:5: spec.schedule.cron: what`, with the parts that are known. One line: control characters are escaped.
  std::string text() const;
};

/// The position of each field of a document: a member at its key, an item at its first character.
class positions {
 public:
  void add(std::string path, position position) { positions_.emplace(std::move(path), position); }
  /// The position of that path, else of the nearest enclosing field that the text contains.
  position find(std::string_view path) const;

 private:
  std::map<std::string, position, std::less<>> positions_;
};

/// How unquoted scalars are read.
enum class scalar_typing {
  Kubernetes,  ///< as read_manifests() says
  Text         ///< as text, exactly as written (`0755`, `no`, `1e3`); only null is typed. load() types those that a field needs typed
};

/// One document of a file.
struct manifest {
  json::value content;
  std::string file;
  int document = 0;  ///< index in the file, from 0; documents without content are counted, not returned
  positions where;
  scalar_typing typing = scalar_typing::Kubernetes;

  /// A problem with `path`, with its position.
  problem blame(std::string_view path, std::string what) const;
};

/// Maximum size of a document (as JSON, aliases expanded): an API server accepts no more.
inline constexpr std::size_t max_document_bytes = 3 << 20;
/// Maximum nesting of lists and objects (aliases expanded): with an envelope around it, a document stays within json::bounds.
inline constexpr std::size_t max_document_depth = 100;
/// Maximum size of a file.
inline constexpr std::size_t max_file_bytes = 32 << 20;

/// Reads all documents of a text; problems name it `file`. Scalars are typed as Kubernetes types them: a quoted one is text; `true`, `yes`,
/// `on` and their opposites are booleans; whole and decimal numbers and null have their type; whole numbers keep YAML 1.1's octal (`0755`).
/// Refused: duplicate keys, keys that are not scalars, unknown tags, control characters, text that is neither UTF-8 nor UTF-16 with a byte
/// order mark, and documents over the limits (which bound aliases too).
/// A problem never repeats a scalar, which may be a secret.
[[nodiscard]] std::expected<std::vector<manifest>, problem> read_manifests(std::string_view text, std::string_view file,
                                                                           scalar_typing typing = scalar_typing::Kubernetes);
/// The same from a file.
[[nodiscard]] std::expected<std::vector<manifest>, problem> read_manifest_file(std::filesystem::path const& file);

/// Writes a value as block-style YAML with members in order; read_manifests() gives the value back.
std::string to_yaml(json::value const&);

}  // namespace kopiur::config
