#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/json/describe.hpp"
#include "services/gateway/admission/admission.hpp"
#include "services/gateway/local/object_store.hpp"

namespace kopiur::gateway::local {

/// A problem with a file of the folder: it is reported, and nothing else is affected.
struct manifest_problem {
  std::string file;
  int line = 0;  ///< 0: unknown
  std::string field, message;
  auto operator<=>(manifest_problem const&) const = default;
};
KOPIUR_DESCRIBE(manifest_problem, (), (file, line, field, message))

/// The problems of a manifest that would replace `current` (nullptr: create it).
using validator = std::function<std::vector<finding>(json::value const& manifest, json::value const* current)>;

/// A read-only folder of manifests, applied like `kubectl apply` without prune. A document is applied when it is new or changed; an object
/// that the user deleted returns only with a changed document. A vanished document deletes nothing: a BackupSchedule, BackupConfig or
/// Maintenance without its document has the annotation `G/manifest-missing: "true"` until the document is back.
class manifest_folder {
 public:
  manifest_folder(fs::path folder, fs::path memory, object_store& store, validator check);

  /// Reads the changes since the last scan. True when the list of problems changed.
  bool scan();
  std::vector<manifest_problem> const& problems() const { return problems_; }
  /// What drop_reserved removed from documents that the last scan applied: reported once for each version of a document.
  std::vector<manifest_problem> take_notices() { return std::exchange(notices_, {}); }
  fs::path const& folder() const { return folder_; }
  /// The folder and its subfolders, as of the last scan.
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
    bool readable = false;  ///< false: the file's objects are unknown
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
  std::map<object_key, origin> applied_;  // what was applied, and from which file
  bool remembered_ = true;
  std::vector<manifest_problem> problems_, notices_;
};

}  // namespace kopiur::gateway::local
