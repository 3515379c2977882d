#include "services/mover/core/manifest.hpp"

#include <array>
#include <charconv>

#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/json/codec.hpp"
#include "services/mover/core/sum.hpp"

namespace kopiur::mover {

namespace {

std::int64_t number(json::value const& from, std::string_view path) {
  auto* found = from.at(path);
  return found && found->as_int() ? *found->as_int() : 0;
}

// kopia prefixes the key of each tag with `tag:`.
std::optional<std::string> tag(json::value const& from, std::string_view key) {
  auto* tags = from.find("tags");
  auto* found = tags ? tags->find("tag:" + std::string(key)) : nullptr;
  return found && found->as_string() ? std::optional(*found->as_string()) : std::nullopt;
}

/// Parses `<snapshot>/<percent>`, as snapshot_command() writes it; nothing for any other text.
std::optional<proto::baseline> baseline_in(std::string_view text) {
  auto slash = text.find('/');
  if (slash == 0 || slash == text.npos) return std::nullopt;
  proto::baseline read{.snapshot = std::string(text.substr(0, slash))};
  auto *from = text.data() + slash + 1, *end = text.data() + text.size();
  auto [last, error] = std::from_chars(from, end, read.percent);
  bool sound = error == std::errc{} && last == end && read.percent > 0 && read.percent <= 100;
  return sound ? std::optional(std::move(read)) : std::nullopt;
}

proto::snapshot_row row_of(json::value const& from) {
  proto::snapshot_row row;
  row.id = from.text("id");
  row.source = {std::string(from.text("source.userName")), std::string(from.text("source.host")), std::string(from.text("source.path"))};
  row.start_time = instant_from(from.text("startTime")).value_or(instant{});
  row.end_time = instant_from(from.text("endTime")).value_or(row.start_time);
  row.size_bytes = number(from, "rootEntry.summ.size");
  row.files = number(from, "rootEntry.summ.files");
  row.dirs = number(from, "rootEntry.summ.dirs");
  row.error_count = sum_of(number(from, "rootEntry.summ.numFailed"), number(from, "rootEntry.summ.numIgnoredErrors"));
  row.failed_count = number(from, "rootEntry.summ.numFailed");
  row.run = tag(from, run_tag);
  if (auto text = tag(from, baseline_tag)) row.baseline = baseline_in(*text);
  if (auto description = from.text("description"); !description.empty()) row.description = description;
  return row;
}

// Octal, in Go's layout: setuid, setgid and the sticky bit are far above the nine permission bits.
int mode_of(std::string_view text) {
  constexpr unsigned go_setuid = 1U << 23, go_setgid = 1U << 22, go_sticky = 1U << 20;
  unsigned go = 0;
  std::from_chars(text.data(), text.data() + text.size(), go, 8);
  return static_cast<int>((go & 0777) | (go & go_setuid ? 04000 : 0) | (go & go_setgid ? 02000 : 0) | (go & go_sticky ? 01000 : 0));
}

}  // namespace

attributes attributes_of(json::value const& entry) {
  return {.uid = number(entry, "uid"), .gid = number(entry, "gid"), .mode = mode_of(entry.text("mode"))};  // kopia omits zeros
}

std::expected<manifest, std::string> read_manifest(json::value const& from) {
  manifest read;
  read.row = row_of(from);
  if (read.row.id.empty() || !from.find("source") || !instant_from(from.text("startTime")))
    return std::unexpected("kopia printed a snapshot without id, source or startTime");
  read.root = from.text("rootEntry.obj");
  read.incomplete = from.text("incomplete");
  read.failed = number(from, "rootEntry.summ.numFailed");
  if (auto* root = from.find("rootEntry")) read.root_has = attributes_of(*root), read.of_a_folder = root->text("type") == "d";
  if (auto* errors = from.at("rootEntry.summ.errors"); errors && errors->as_array() && !errors->as_array()->empty())
    read.first_error = errors->as_array()->front().text("path");
  read.stats.size_bytes = read.row.size_bytes;
  read.stats.files_new = number(from, "stats.nonCachedFiles");
  read.stats.files_unchanged = number(from, "stats.cachedFiles");
  read.stats.error_count = read.row.error_count;
  return read;
}

std::expected<manifest, std::string> parse_manifest(std::string_view text) {
  auto parsed = json::parse(text);
  if (!parsed) return std::unexpected("kopia printed a snapshot that is not JSON: " + parsed.error().text());
  return read_manifest(*parsed);
}

void element_splitter::between(char c) {
  if (c == '{') {
    if (closed_) broken_ = true;
    depth_ = 1;
    begun_ = c;
  } else if (c == '[') {
    if (array_) broken_ = true;
    array_ = true;
  } else if (c == ']') {
    if (!array_ || closed_) broken_ = true;
    closed_ = true;
  } else if (c != ',' && c != ' ' && c != '\n' && c != '\r' && c != '\t') {
    broken_ = true;  // text in place of JSON, such as a prompt
  }
}

void element_splitter::inside(char c) {
  if (begun_.size() < limit_)
    begun_ += c;
  else
    broken_ = true;
  if (in_text_) {
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == '"')
      in_text_ = false;
    return;
  }
  if (c == '"')
    in_text_ = true;
  else if (c == '{' || c == '[')
    ++depth_;
  else if ((c == '}' || c == ']') && --depth_ == 0 && !broken_)
    each_(begun_);
}

void element_splitter::feed(std::string_view bytes) {
  for (char c : bytes) {
    if (broken_) return;
    depth_ == 0 ? between(c) : inside(c);
  }
}

std::optional<std::string> repository_id(std::string_view blob) {
  auto parsed = json::parse(blob);
  auto bytes = parsed ? encoding::from_base64(parsed->text("uniqueID")) : std::nullopt;
  return bytes && !bytes->empty() ? std::optional(encoding::hex(*bytes)) : std::nullopt;
}

std::optional<std::string> status_id(std::string_view text) {
  auto parsed = json::parse(text);
  auto id = parsed ? parsed->text("uniqueIDHex") : std::string_view();
  return id.empty() ? std::nullopt : std::optional(std::string(id));
}

std::expected<manifest, std::string> read_shown_manifest(std::string_view text, std::string id) {
  while (text.starts_with("//")) {
    auto end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  auto parsed = json::parse(text);
  if (!parsed) return std::unexpected("kopia showed a manifest that is not JSON: " + parsed.error().text());
  parsed->set("id", std::move(id));  // the stored manifest has an empty id
  return read_manifest(*parsed);
}

std::optional<proto::snapshot_entry> read_listed_entry(std::string_view text) {
  auto parsed = json::parse(text);
  if (!parsed || !parsed->as_object()) return std::nullopt;
  auto size = number(*parsed, "size");
  return proto::snapshot_entry{std::string(parsed->text("name")), std::string(parsed->text("type")), std::string(parsed->text("mode")),
                               size ? size : number(*parsed, "summ.size"), instant_from(parsed->text("mtime")).value_or(instant{})};
}

}  // namespace kopiur::mover
