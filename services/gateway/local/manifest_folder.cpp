#include "services/gateway/local/manifest_folder.hpp"

#include <algorithm>

#include "common/config/manifest.hpp"
#include "common/hash/stable_hash.hpp"
#include "common/json/codec.hpp"
#include "common/json/describe.hpp"
#include "common/json/described.hpp"
#include "proto/kinds.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::local {

namespace {

// The memory file has one of these for each applied document.
struct applied_document {
  std::string kind, namespace_, name, file, hash;
};
KOPIUR_DESCRIBE(applied_document, (), (kind, namespace_, name, file, hash))
static_assert(json::wholly_described<applied_document>);

bool is_manifest(fs::path const& path) {
  auto name = path.filename().string();
  auto extension = path.extension();
  return !name.starts_with(".") && (extension == ".yaml" || extension == ".yml" || extension == ".json");
}

bool acts_by_itself(std::string_view kind) {
  auto* known = proto::own_kind(kind);
  return known && known->acts_by_itself;
}

manifest_problem from(config::problem const& wrong, std::string const& file) { return {file, wrong.position.line, wrong.path, wrong.what}; }

/// An object of a document, and its position: a `List` contains several.
struct part {
  std::string path;
  json::value content;

  std::string below(std::string_view field) const {
    return path.empty() ? std::string(field) : field.empty() ? path : path + "." + std::string(field);
  }
};
std::vector<part> parts_of(config::manifest& document) {
  auto* items = document.content.text("kind") == "List" ? document.content.find("items") : nullptr;
  if (!items || !items->as_array()) return {{"", std::move(document.content)}};
  std::vector<part> all;
  for (auto& each : *items->as_array()) all.push_back({"items[" + std::to_string(all.size()) + "]", std::move(each)});
  return all;
}

/// Input of kustomize is not an object.
bool is_kustomization(std::string const& file, json::value const& content) {
  auto name = fs::path(file).stem();
  return name == "kustomization" || content.text("kind") == "Kustomization" || content.text("kind") == "Component";
}

}  // namespace

manifest_folder::manifest_folder(fs::path folder, fs::path memory, object_store& store, validator check)
    : folder_(std::move(folder)), memory_(std::move(memory)), store_(store), check_(std::move(check)) {
  recall();
}

void manifest_folder::recall() {
  auto read = json::read<std::vector<applied_document>>(files::read_file(memory_).value_or("[]"));
  if (!read) return;  // written atomically by us; without it every document is simply applied again
  for (auto& each : *read) applied_[{each.kind, each.namespace_, each.name}] = {each.file, each.hash};
}

void manifest_folder::remember() {
  if (std::exchange(remembered_, true)) return;
  std::vector<applied_document> all;
  for (auto const& [key, origin] : applied_) all.push_back({key.kind, key.namespace_, key.name, origin.file, origin.hash});
  files::write_file(memory_, json::pretty(json::encode(all)), 0600);
}

bool manifest_folder::find_files(std::map<std::string, signature>& found) {
  std::error_code failed;
  folders_.assign(1, folder_);
  std::set<fs::path> seen{fs::weakly_canonical(folder_, failed)};
  fs::recursive_directory_iterator entry(folder_, fs::directory_options::follow_directory_symlink, failed), end;
  for (; !failed && entry != end; entry.increment(failed)) {
    std::error_code went;
    if (entry->path().filename().string().starts_with(".")) {
      entry.disable_recursion_pending();
    } else if (entry->is_directory(went)) {
      // A link to a parent folder, or a second link to the same folder, would list the same files again.
      if (seen.insert(fs::weakly_canonical(entry->path(), went)).second)
        folders_.push_back(entry->path());
      else
        entry.disable_recursion_pending();
    } else if (is_manifest(entry->path()) && entry->is_regular_file(went)) {
      found[entry->path().lexically_relative(folder_).string()] = {entry->last_write_time(went), entry->file_size(went)};
    }
  }
  if (!failed) return true;
  problems_ = {{folder_.string(), 0, "",
                "The folder cannot be read (" + failed.message() + "): nothing is applied and nothing is suspended until it can."}};
  return false;
}

manifest_folder::content manifest_folder::read(std::string const& name, signature const& seen) const {
  content out{seen, false, {}, {}};
  auto documents = config::read_manifest_file(folder_ / name);
  if (!documents) {
    out.problems.push_back(from(documents.error(), name));
    return out;
  }
  out.readable = true;
  for (auto& document : *documents) {
    if (is_kustomization(name, document.content)) {
      out.problems.push_back(
          from(document.blame("", "is kustomize's own file, and no object. Put here what `kubectl kustomize` makes of it."), name));
      continue;
    }
    for (auto& each : parts_of(document)) {
      auto key = admit_key(each.content);
      if (!key) {
        out.readable = false;  // which object it was is not known: none from this file counts as missing
        out.problems.push_back(from(document.blame(each.path, key.error().message), name));
        continue;
      }
      auto dropped = drop_reserved(each.content);
      auto wrong = check_(each.content, store_.find(*key));
      for (auto const& one : wrong) out.problems.push_back(from(document.blame(each.below(one.field), one.message), name));
      auto hash = wrong.empty() ? hash::digest_hex({json::dump(each.content)}, 32) : "";
      out.documents.push_back({*key, std::move(each.content), std::move(hash), std::move(dropped), document.where.find(each.path).line});
    }
  }
  return out;
}

void manifest_folder::apply(std::string const& file, document const& each, std::vector<manifest_problem>& problems) {
  if (each.hash.empty()) return;  // refused by the check, and already reported
  auto& origin = applied_[each.key];
  if (origin.hash != each.hash) {
    if (auto done = store_.apply(each.content); !done) {
      problems.push_back({file, each.line, "", done.error().message});
      return;
    }
    if (!each.dropped.empty()) notices_.push_back({file, each.line, "", each.dropped});
  }
  if (origin.hash != each.hash || origin.file != file) remembered_ = false;
  origin = {file, each.hash};
}

void manifest_folder::flag_missing(std::set<object_key> const& present) {
  auto unreadable = [&](std::string const& file) {
    auto found = files_.find(file);
    return found != files_.end() && !found->second.readable;
  };
  for (auto each = applied_.begin(); each != applied_.end();) {
    auto const& [key, origin] = *each;
    bool missing = !present.contains(key) && !unreadable(origin.file);
    if (acts_by_itself(key.kind))
      store_.edit(key, [&](json::value& object) {
        auto& metadata = *object.find("metadata");
        if (missing && !metadata.find("annotations")) metadata.set("annotations", json::value::make_object());
        if (auto* annotations = metadata.find("annotations")) {
          if (missing) {
            annotations->set(ours("manifest-missing"), "true");
          } else {
            annotations->erase(ours("manifest-missing"));
          }
        }
      });
    if (missing && !store_.find(key)) {
      each = applied_.erase(each);
      remembered_ = false;
    } else {
      ++each;
    }
  }
}

bool manifest_folder::scan() {
  auto before = problems_;
  std::map<std::string, signature> found;
  if (!find_files(found)) return problems_ != before;
  std::erase_if(files_, [&](auto const& one) { return !found.contains(one.first); });
  for (auto const& [name, seen] : found)
    if (auto known = files_.find(name); known == files_.end() || !(known->second.seen == seen)) files_[name] = read(name, seen);
  std::vector<manifest_problem> problems;
  std::map<object_key, std::string> present;
  for (auto const& [name, file] : files_) {
    problems.insert(problems.end(), file.problems.begin(), file.problems.end());
    for (auto const& each : file.documents) {
      auto [first, fresh] = present.emplace(each.key, name);
      if (fresh) {
        apply(name, each, problems);
      } else {
        problems.push_back({name, each.line, "", each.key.text() + " is in " + first->second + " already: remove one of the two."});
      }
    }
  }
  std::set<object_key> keys;
  for (auto const& [key, name] : present) keys.insert(key);
  flag_missing(keys);
  remember();
  problems_ = std::move(problems);
  return problems_ != before;
}

}  // namespace kopiur::gateway::local
