#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "common/config/manifest.hpp"
#include "common/config/scalar.hpp"
#include "common/json/utf8.hpp"

namespace kopiur::config {
namespace {

position position_of(YAML::Mark const& mark) { return {mark.line + 1, mark.column + 1}; }

/// Thrown through yaml-cpp's parser, caught in read_manifests().
struct refusal {
  config::position position;
  std::string path, what;
};

/// The size of a value, aliases expanded.
struct measure {
  std::size_t weight = 2;  ///< approximate size as JSON, in bytes
  std::size_t levels = 0;  ///< of lists and objects
};

/// Builds one document from the parser's events. The measures bound documents and aliases alike.
class builder : public YAML::EventHandler {
 public:
  explicit builder(manifest& manifest) : manifest_(manifest) {}

  /// Where the document begins.
  YAML::Mark const& start() const { return start_; }

  void OnDocumentStart(YAML::Mark const& mark) override { start_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(YAML::Mark const& mark, YAML::anchor_t anchor) override { scalar(mark, anchor, nullptr, 4); }

  void OnScalar(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, std::string const& text) override {
    if (awaits_key()) return key(mark, text, tag == "?" || tag.empty());
    auto read = value_of(tag, text);
    if (!read) refuse(mark, "this is not a value that JSON knows under its tag. Use !!str, !!int, !!bool, !!float, or quote the text.");
    scalar(mark, anchor, std::move(*read), text.size() + 2);
  }

  void OnAlias(YAML::Mark const& mark, YAML::anchor_t anchor) override {
    if (awaits_key()) refuse(mark, "an alias cannot be a key. Write the key out.");
    auto known = anchors_.find(anchor);
    if (known == anchors_.end()) refuse(mark, "this alias stands inside the very node that it names. Write the content out.");
    charge(mark, known->second.size.weight);
    descend(mark, known->second.size.levels);
    place_here(mark);
    finish(known->second.content, known->second.size);
  }

  void OnSequenceStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, json::value::make_array());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, json::value::make_object());
  }
  void OnMapEnd() override { close(); }

 private:
  struct frame {
    json::value content;
    YAML::Mark start;
    YAML::anchor_t anchor = 0;
    std::string path;
    measure size{.levels = 1};
    std::optional<std::string> key;    ///< of the member whose value is read next
    std::map<std::string, int> lines;  ///< of the keys read so far
    std::vector<json::value> merged;   ///< members that `<<` adds
    bool merges = false;               ///< the current key is `<<`
  };
  struct anchored {
    json::value content;
    measure size;
  };

  [[noreturn]] void refuse(YAML::Mark const& mark, std::string what) { throw refusal{position_of(mark), here(), std::move(what)}; }

  std::optional<json::value> value_of(std::string const& tag, std::string const& text) const {
    if (tag == "!") return json::value(text);
    bool plain = tag.empty() || tag == "?", as_text = manifest_.typing == scalar_typing::Text;
    if (plain && as_text && !is_null(text)) return json::value(text);
    auto typed = plain ? plain_scalar(text) : tagged_scalar(tag, text);
    return typed && as_text && !typed->is_null() ? std::optional(json::value(text)) : typed;
  }

  bool awaits_key() const { return !frames_.empty() && frames_.back().content.is_object() && !frames_.back().key; }

  std::string here() const {
    if (frames_.empty()) return {};
    auto& top = frames_.back();
    if (top.content.is_array()) return top.path + "[" + std::to_string(top.content.as_array()->size()) + "]";
    if (!top.key) return top.path;
    return top.path.empty() ? *top.key : top.path + "." + *top.key;
  }

  void key(YAML::Mark const& mark, std::string const& text, bool plain) {
    auto& top = frames_.back();
    top.merges = plain && text == "<<";
    auto [first, fresh] = top.lines.emplace(text, position_of(mark).line);
    charge(mark, text.size() + 4);
    top.key = text;
    if (!fresh)
      refuse(mark, "this key is on line " + std::to_string(first->second) + " already, and only one of them would count. Remove one.");
    manifest_.where.add(here(), position_of(mark));
  }

  void scalar(YAML::Mark const& mark, YAML::anchor_t anchor, json::value read, std::size_t weight) {
    if (awaits_key()) refuse(mark, "a key must be text. Quote it, or name it.");
    charge(mark, weight);
    place_here(mark);
    keep(mark, anchor, read, {.weight = weight});
    finish(std::move(read), {.weight = weight});
  }

  /// List items and whole documents have no key whose position could be used.
  void place_here(YAML::Mark const& mark) {
    if (frames_.empty() || frames_.back().content.is_array()) manifest_.where.add(here(), position_of(mark));
  }

  void open(YAML::Mark const& mark, std::string const& tag, YAML::anchor_t anchor, json::value empty) {
    if (awaits_key()) refuse(mark, "a key must be text, not a list or an object. Name it.");
    bool known = tag.empty() || tag == "?" || tag == "!" || tag == "tag:yaml.org,2002:map" || tag == "tag:yaml.org,2002:seq";
    if (!known) refuse(mark, "the tag " + tag + " is not known here. Remove it.");
    charge(mark, 2);
    descend(mark, 1);
    place_here(mark);
    auto path = here();
    frames_.push_back({.content = std::move(empty), .start = mark, .anchor = anchor, .path = std::move(path)});
  }

  void close() {
    auto done = std::move(frames_.back());
    frames_.pop_back();
    for (auto& each : done.merged) merge_into(done, each);
    keep(done.start, done.anchor, done.content, done.size);
    finish(std::move(done.content), done.size);
  }

  /// `<<`: adds the members that the map does not define itself.
  void merge_into(frame& done, json::value const& from) {
    auto* members = from.as_object();
    if (!members) throw refusal{position_of(done.start), done.path, "`<<` takes an object or a list of objects. Name anchors of objects."};
    for (auto& [name, content] : *members)
      if (done.lines.emplace(name, 0).second) done.content.as_object()->emplace_back(name, content);
  }

  void keep(YAML::Mark const& mark, YAML::anchor_t anchor, json::value const& content, measure size) {
    if (anchor == 0) return;
    charge(mark, size.weight);  // the anchor keeps a copy, so nested anchors count once per copy
    anchors_.insert_or_assign(anchor, anchored{content, size});
  }

  void finish(json::value content, measure size) {
    if (frames_.empty()) {
      manifest_.content = std::move(content);
      return;
    }
    auto& top = frames_.back();
    top.size.weight += size.weight;
    top.size.levels = std::max(top.size.levels, 1 + size.levels);
    if (top.content.is_array()) {
      top.content.as_array()->push_back(std::move(content));
      return;
    }
    auto name = std::move(*top.key);
    top.key.reset();
    if (!top.merges) {
      top.content.as_object()->emplace_back(std::move(name), std::move(content));
    } else if (auto* several = content.as_array()) {
      top.merged.insert(top.merged.end(), several->begin(), several->end());
    } else {
      top.merged.push_back(std::move(content));
    }
  }

  void charge(YAML::Mark const& mark, std::size_t weight) {
    charged_ += weight;
    if (charged_ > max_document_bytes)
      throw refusal{position_of(mark), "", "the document is larger than 3 MiB (aliases written out), which no API server takes. Split it."};
  }

  /// Checks that `levels` more levels may begin here.
  void descend(YAML::Mark const& mark, std::size_t levels) {
    if (frames_.size() + levels > max_document_depth)
      throw refusal{position_of(mark), "", "the document has more than " + std::to_string(max_document_depth) + " levels. Flatten it."};
  }

  manifest& manifest_;
  YAML::Mark start_ = YAML::Mark::null_mark();
  std::vector<frame> frames_;
  std::unordered_map<YAML::anchor_t, anchored> anchors_;
  std::size_t charged_ = 0;
};

/// yaml-cpp's message without what it quotes of the text.
std::string message_of(YAML::Exception const& broken) {
  bool in_quotes = broken.msg == YAML::ErrorMsg::DOC_IN_SCALAR || broken.msg == YAML::ErrorMsg::EOF_IN_SCALAR;
  return in_quotes ? "a quoted text has no closing quote" : broken.msg.substr(0, broken.msg.find(':'));
}

problem at_byte(std::string_view text, std::size_t index, std::string_view file, std::string what) {
  auto before = text.substr(0, index);
  auto line = std::ranges::count(before, '\n');
  auto begin = line ? before.rfind('\n') + 1 : 0;
  return {std::string(file), {static_cast<int>(line) + 1, static_cast<int>(index - begin) + 1}, "", std::move(what)};
}

/// yaml-cpp treats byte 4 as the end of the text and accepts others: a document could hide what follows.
std::optional<problem> control_character(std::string_view text, std::string_view file) {
  auto is_one = [](unsigned char c) { return (c < 0x20 || c == 0x7f) && c != '\n' && c != '\r' && c != '\t'; };
  auto found = std::ranges::find_if(text, is_one);
  if (found == text.end()) return {};
  return at_byte(text, static_cast<std::size_t>(found - text.begin()), file,
                 "holds a control character, which YAML forbids. Write it as an escape in double quotes.");
}

/// Finds bytes that are not UTF-8: yaml-cpp would silently replace them and so change a name or a password.
std::optional<problem> foreign_byte(std::string_view text, std::string_view file) {
  for (std::size_t i = 0; i < text.size();) {
    auto length = json::character(text.substr(i));
    if (length == 0) return at_byte(text, i, file, "is not UTF-8. Save the file in that encoding.");
    i += length;
  }
  return {};
}

/// Converts UTF-16 with a byte order mark (Windows editors write it, kubectl reads it) to UTF-8; returns any other text unchanged. Unpaired
/// surrogates become bytes that are not UTF-8.
std::string in_utf8(std::string_view text) {
  bool little = text.starts_with("\xFF\xFE"), big = text.starts_with("\xFE\xFF");
  if ((!little && !big) || text.size() % 2 != 0) return std::string(text);
  auto unit = [&](std::size_t i) {
    auto first = static_cast<unsigned char>(text[i]), second = static_cast<unsigned char>(text[i + 1]);
    return static_cast<unsigned>(little ? first | second << 8 : second | first << 8);
  };
  std::string out;
  auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
  for (std::size_t i = 2; i < text.size(); i += 2) {
    auto code = unit(i);
    bool pair = code >= 0xD800 && code < 0xDC00 && i + 2 < text.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000;
    if (pair) code = 0x10000 + ((code - 0xD800) << 10) + (unit(i += 2) - 0xDC00);
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xC0 | code >> 6), put(0x80 | (code & 63));
    } else if (code < 0x10000) {
      put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    } else {
      put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 63)), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    }
  }
  return out;
}

}  // namespace

std::expected<std::vector<manifest>, problem> read_manifests(std::string_view bytes, std::string_view file, scalar_typing typing) {
  if (bytes.size() > max_file_bytes) return std::unexpected(problem{std::string(file), {}, "", "is larger than 32 MiB. Split it."});
  auto text = in_utf8(bytes);
  if (auto bad = foreign_byte(text, file)) return std::unexpected(std::move(*bad));
  if (auto bad = control_character(text, file)) return std::unexpected(std::move(*bad));
  std::vector<manifest> found;
  try {
    // yaml-cpp closes a quoted text at the end of the last line; it refuses one that contains the mark of a document's end.
    std::istringstream in{text.ends_with('\n') ? text + "...\n" : text};
    YAML::Parser parser(in);
    int begun = -1;  // start of the last document
    for (int index = 0;; ++index) {
      manifest one{.content = {}, .file = std::string(file), .document = index, .where = {}, .typing = typing};
      builder build(one);
      if (!parser.HandleNextDocument(build)) break;
      // At a token that cannot begin a document, such as a comma, yaml-cpp does not advance and returns empty documents endlessly.
      if (std::exchange(begun, build.start().pos) >= build.start().pos)
        throw refusal{position_of(build.start()), "", "not YAML: the text here belongs to no key and no list."};
      if (!one.content.is_null()) found.push_back(std::move(one));
    }
  } catch (refusal& refused) {
    return std::unexpected(problem{std::string(file), refused.position, std::move(refused.path), std::move(refused.what)});
  } catch (YAML::Exception const& broken) {
    return std::unexpected(problem{std::string(file), position_of(broken.mark), "", "not YAML: " + message_of(broken) + "."});
  }
  return found;
}

}  // namespace kopiur::config
