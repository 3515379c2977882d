#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/json/describe.hpp"
#include "services/gateway/adapters/admission.hpp"
#include "services/gateway/adapters/local/object_store.hpp"

namespace kopiur::gateway::local {

/// What is wrong with a file of the folder: told, and nothing else suffers.
struct manifest_problem {
  std::string file;
  int line = 0;  ///< 0 = unknown
  std::string field, message;
  auto operator<=>(manifest_problem const&) const = default;
};
KOPIUR_DESCRIBE(manifest_problem, (), (file, line, field, message))

/// What is wrong with a manifest that would replace `current` (nullptr: create it).
using validator = std::function<std::vector<finding>(json::value const& manifest, json::value const* current)>;

/// A folder of manifests, applied like `kubectl apply` without prune: only read. A document is applied when it is new or has changed; one
/// that was deleted by the user comes back only with a changed document. What vanishes deletes nothing: a BackupSchedule, BackupConfig or
/// Maintenance whose document is gone gets the annotation `G/manifest-missing: "true"` until it is back.
class manifest_folder {
 public:
  manifest_folder(fs::path folder, fs::path memory, object_store& store, validator check);

  /// Reads what has changed since the last time. True when the list of problems is another one now.
  bool scan();
  std::vector<manifest_problem> const& problems() const { return problems_; }
  /// What was left out of documents that the last scan applied (drop_reserved): told once for each version of a document.
  std::vector<manifest_problem> take_notices() { return std::exchange(notices_, {}); }
  fs::path const& folder() const { return folder_; }
  /// The folder and those below it, as the last scan found them.
  std::vector<fs::path> const& folders() const { return folders_; }

 private:
  struct signature {
    fs::file_time_type changed;
    std::uintmax_t size = 0;
    bool operator==(signature const&) const = default;
  };
  struct document {
    object_key key;
    json::value content;
    std::string hash, dropped;
    int line = 0;
  };
  struct content {
    signature seen;
    bool readable = false;  ///< false: nothing is known of what it should hold
    std::vector<document> documents;
    std::vector<manifest_problem> problems;
  };
  struct origin {
    std::string file, hash;
  };

  bool find_files(std::map<std::string, signature>& found);
  content read(std::string const& name, signature const& seen) const;
  void apply(std::string const& file, document const& each, std::vector<manifest_problem>& problems);
  void flag_missing(std::set<object_key> const& present);
  void remember();
  void recall();

  fs::path folder_, memory_;
  object_store& store_;
  validator check_;
  std::vector<fs::path> folders_;
  std::map<std::string, content> files_;
  std::map<object_key, origin> applied_;  // what we applied, from where
  bool remembered_ = true;
  std::vector<manifest_problem> problems_, notices_;
};

}  // namespace kopiur::gateway::local
