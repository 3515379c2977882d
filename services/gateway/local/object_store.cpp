#include "services/gateway/local/object_store.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

#include "common/encoding/number.hpp"
#include "common/files/modes.hpp"
#include "common/hash/stable_hash.hpp"
#include "services/gateway/core/finalizers.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway::local {

using proto::answer_code;

namespace {

using encoding::leading_number;
constexpr std::int64_t version_block = 1000;

files::file lock_folder(fs::path const& data) {
  make_data_folder(data);
  auto path = data / "lock";
  auto locked = files::try_lock(path);
  if (!locked) {
    auto holder = files::read_file(path).value_or("");
    throw folder_in_use(data, holder.empty() ? "that has just started" : holder);
  }
  auto self = std::to_string(::getpid());
  if (::ftruncate(locked->number(), 0) != 0 || ::pwrite(locked->number(), self.data(), self.size(), 0) < 0)
    throw std::system_error(errno, std::generic_category(), "Cannot write " + path.string());
  return std::move(*locked);
}

// A name may be longer than a file system accepts.
std::string file_name(std::string const& name) {
  return (name.size() <= 200 ? name : name.substr(0, 150) + "~" + hash::digest_hex({name}, 32)) + ".json";
}

refusal not_found(object_key const& key) { return {answer_code::NotFound, "There is no " + key.text() + "."}; }

fs::path path_in(fs::path const& data, object_key const& key) {
  return data / "objects" / key.kind / (key.namespace_.empty() ? "-" : key.namespace_) / file_name(key.name);
}

void read_object(fs::path const& data, fs::path const& path, object_map& into) {
  auto text = files::read_file(path);
  if (!text) return;  // deleted meanwhile
  auto object = json::parse(*text);
  auto key = object ? admit_key(*object) : outcome<object_key>(refuse(answer_code::Invalid, object.error().text()));
  if (!key || path_in(data, *key) != path)
    throw std::runtime_error("The file " + path.string() + " is not an object of this folder (" +
                             (key ? "it holds " + key->text() : key.error().message) +
                             "): put back the file, or move it out of the folder.");
  into.emplace(std::move(*key), std::move(*object));
}

}  // namespace

void make_data_folder(fs::path const& data) {
  files::user_modes modes;
  files::make_folder(data, 0711);
}

object_map read_objects(fs::path const& data, std::string_view kind) {
  object_map found;
  auto folder = data / "objects" / kind;
  if (!fs::exists(folder)) return found;
  for (auto const& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().extension() == ".json") read_object(data, entry.path(), found);
  return found;
}

object_store::object_store(fs::path data, clock& time) : data_(std::move(data)), time_(time), lock_(lock_folder(data_)) {
  files::make_folder(data_ / "objects", 0700);
  files::sweep_unfinished(data_ / "objects");
  version_ = reserved_ = leading_number<std::int64_t>(files::read_file(data_ / "objects" / ".version").value_or("0")).value_or(0);
  objects_ = read_objects(data_);
  for (auto const& [_, object] : objects_) version_ = std::max(version_, leading_number<std::int64_t>(version_of(object)).value_or(0));
  reserved_ = std::max(reserved_, version_);
}

json::value const* object_store::find(object_key const& key) const {
  auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : &found->second;
}

std::vector<json::value> object_store::of_kind(std::string_view kind) const {
  std::vector<json::value> found;
  for (auto each = objects_.lower_bound({std::string(kind), "", ""}); each != objects_.end() && each->first.kind == kind; ++each)
    found.push_back(each->second);
  return found;
}

std::int64_t object_store::next_version() {
  if (version_ == reserved_) {
    files::write_file(data_ / "objects" / ".version", std::to_string(reserved_ + version_block), 0600);
    reserved_ += version_block;
  }
  return ++version_;
}

std::string object_store::new_uid() {
  unsigned char b[16];
  if (::getrandom(b, sizeof b, 0) != sizeof b) throw std::system_error(errno, std::generic_category(), "Cannot read random bytes");
  b[6] = static_cast<unsigned char>((b[6] & 0x0F) | 0x40), b[8] = static_cast<unsigned char>((b[8] & 0x3F) | 0x80);  // RFC 9562, version 4
  char text[37];
  std::snprintf(text, sizeof text, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3], b[4],
                b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return text;
}

json::value const& object_store::put(object_key const& key, json::value object) {
  object.find("metadata")->set("resourceVersion", std::to_string(next_version()));
  auto path = path_in(data_, key);
  files::make_folder(path.parent_path(), 0700);
  auto uid = std::string(uid_of(object));
  try {
    files::write_file(path, json::pretty(object), 0600);
  } catch (files::not_durable const&) {
    objects_.insert_or_assign(key, std::move(object));
    unfinished_.emplace(key, std::move(uid));
    throw;
  }
  auto& kept = objects_.insert_or_assign(key, std::move(object)).first->second;
  report(key, uid);
  return kept;
}

void object_store::report(object_key const& key, std::string const& uid) {
  if (tell_) tell_(key, uid, find(key));
}

// After a failed sync the kernel may believe that the old pages are on the disk, so an object is written again.
void object_store::finish_writes() {
  while (!unfinished_.empty()) {
    auto [key, uid] = *unfinished_.begin();
    auto path = path_in(data_, key);
    if (auto* object = find(key)) {
      files::write_file(path, json::pretty(*object), 0600);
    } else {
      files::sync_folder(path.parent_path());
    }
    unfinished_.erase(key);
    report(key, uid);
  }
}

void object_store::drop(object_key const& key) {
  auto found = objects_.find(key);
  if (found == objects_.end()) return;
  auto uid = std::string(uid_of(found->second));
  try {
    files::remove_file(path_in(data_, key));
  } catch (files::not_durable const&) {
    objects_.erase(found);
    unfinished_.emplace(key, std::move(uid));
    throw;
  }
  objects_.erase(found);
  report(key, uid);
}

json::value object_store::put_or_drop(object_key const& key, json::value object) {
  if (!may_go(object)) return put(key, std::move(object));
  drop(key);
  return object;
}

outcome<json::value> object_store::create(json::value manifest) {
  finish_writes();
  auto key = admit_key(manifest);
  if (!key) return std::unexpected(key.error());
  if (auto* there = find(*key)) {
    if (proves(*there, manifest)) return *there;
    return std::unexpected(made_by_another(*key));
  }
  auto object = created(std::move(manifest), new_uid(), time_.now());
  if (!key->namespace_.empty()) object.find("metadata")->set("namespace", key->namespace_);
  return put(*key, std::move(object));
}

outcome<json::value> object_store::apply(json::value manifest) {
  finish_writes();
  auto key = admit_key(manifest);
  if (!key) return std::unexpected(key.error());
  auto* there = find(*key);
  if (!there) {
    if (auto* metadata = manifest.find("metadata")) metadata->erase("finalizers");
    return create(std::move(manifest));
  }
  auto next = applied(*there, manifest);
  if (!next) return *there;
  return put(*key, std::move(*next));
}

outcome<json::value> object_store::patch(proto::patch_metadata const& patch) {
  finish_writes();
  auto key = admit_key(patch.object);
  if (!key) return std::unexpected(key.error());
  auto* there = find(*key);
  if (!there || (!patch.object.uid.empty() && uid_of(*there) != patch.object.uid)) return std::unexpected(not_found(*key));
  if (auto why = refused_finalizer(*there, patch)) return std::unexpected(std::move(*why));
  auto next = patched(*there, patch);
  if (!next) return *there;
  return put_or_drop(*key, std::move(*next));
}

outcome<json::value> object_store::remove(proto::delete_object const& command) {
  finish_writes();
  auto key = admit_key(command.object);
  if (!key) return std::unexpected(key.error());
  auto* there = find(*key);
  if (!there || (!command.object.uid.empty() && uid_of(*there) != command.object.uid)) return json::value();
  auto next = marked_for_deletion(*there, command.annotations, time_.now());
  if (!next) return *there;
  return put_or_drop(*key, std::move(*next));
}

outcome<json::value> object_store::write_status(json::value const& read, json::value status) {
  finish_writes();
  auto key = key_of(read);
  auto* there = find(key);
  if (auto why = outdated(there, read)) return std::unexpected(std::move(*why));
  auto next = with_status(*there, std::move(status));
  if (!next) return *there;
  return put(key, std::move(*next));
}

void object_store::edit(object_key const& key, std::function<void(json::value&)> const& change) {
  finish_writes();
  auto* there = find(key);
  if (!there) return;
  auto next = *there;
  change(next);
  if (!(next == *there)) put(key, std::move(next));
}

}  // namespace kopiur::gateway::local
