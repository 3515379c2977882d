#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/json/value.hpp"
#include "proto/placeholders.hpp"

/// Schema notes: a description for each field, bounds, and rules across fields. They are defined in the .cpp of the struct's header as
/// `type_notes notes_of(std::type_identity<T>)`, which KOPIUR_DESCRIBE_NOTED declares (proto/describe.hpp).
namespace kopiur::proto::schema {

/// Bounds of one scalar.
struct limits {
  std::optional<std::int64_t> min = {}, max = {};
  std::optional<int> min_length = {}, max_length = {};
  std::string_view pattern = {};                  ///< anchored, in the common subset of RE2 and ECMAScript
  std::string_view pattern_says = {};             ///< follows "must be ": `a bucket name: ...`
  std::string_view format = {};                   ///< the caller's parsers check `cron` and `timezone`, not the schema
  std::span<std::string_view const> values = {};  ///< allowed values; empty: any
  std::string_view names_kind = {};               ///< the kind of the object that the text names (proto/references.hpp)
  std::optional<std::int64_t> longest = {};       ///< for a duration: hours (see is_within)
};

struct field_note {
  std::string_view field;                             ///< its name on the wire
  std::string_view text;                              ///< a helpful sentence or two, for `kubectl explain`
  limits own = {};                                    ///< for a scalar
  limits item = {};                                   ///< for a list's items or a map's values
  std::optional<int> min_items = {}, max_items = {};  ///< for a list or map
  std::string_view map_key = {};                      ///< for a list with a key: the field that identifies an item
  bool required = false;                              ///< in addition to fields without a default
};

/// One rule in two forms: CEL for the API server, C++ for the webhook and the local adapter. Defaults are filled in in `self`.
struct rule {
  std::string cel;              ///< empty: it needs metadata, which CEL cannot see, so only admission checks it
  std::string_view message;     ///< what and why, a sentence
  std::string_view hint;        ///< how to fix it, a sentence
  std::string_view field = {};  ///< path below the struct, for the finding; empty: the struct itself
  bool (*holds)(json::value const& self) = nullptr;
  bool (*holds_after)(json::value const& self, json::value const& old) = nullptr;  ///< set: a rule about an update
};

/// A name that is not a field but that users try, and advice.
struct refused_name {
  std::string_view field, hint;
};

struct type_notes {
  std::string_view text;
  std::vector<field_note> fields = {};
  std::vector<rule> rules = {};
  std::vector<refused_name> refused = {};
  std::optional<int> min_members = {}, max_members = {};  ///< how many fields are given
  bool open = false;                                      ///< further members are kept, and are not looked at: the kind is another's
  bool ruled_in_status = false;                           ///< the rules hold in a status too: the API is not ours
};

/// Whether `a.b.c` has a value other than null.
inline bool has(json::value const& self, std::string_view dotted) {
  auto* found = self.at(dotted);
  return found && !found->is_null();
}
/// The integer at `a.b.c`, or `otherwise`.
inline std::int64_t number(json::value const& self, std::string_view dotted, std::int64_t otherwise = 0) {
  auto* found = self.at(dotted);
  return found && found->as_int() ? *found->as_int() : otherwise;
}
/// The boolean at `a.b.c`; false if it is absent.
inline bool flag(json::value const& self, std::string_view dotted) {
  auto* found = self.at(dotted);
  return found && found->as_bool() && *found->as_bool();
}
/// Whether `pleases` holds for all texts of the list at `a.b.c`.
template <class F>
bool all_texts(json::value const& self, std::string_view dotted, F&& pleases) {
  auto* list = self.at(dotted);
  if (!list || !list->as_array()) return true;
  for (auto& each : *list->as_array())
    if (each.as_string() && !pleases(*each.as_string())) return false;
  return true;
}
/// Whether a path contains a segment `..`.
inline bool climbs(std::string_view path) {
  while (true) {
    auto slash = path.find('/');
    if (path.substr(0, slash) == "..") return true;
    if (slash == path.npos) return false;
    path.remove_prefix(slash + 1);
  }
}

/// A member's name, usable as a template argument.
template <std::size_t Size>
struct member_name {
  constexpr member_name(char const (&text)[Size]) { std::copy_n(text, Size, name); }
  constexpr std::string_view view() const { return {name, Size - 1}; }
  char name[Size]{};
};
/// Rule: a member of another's API that kopiur does not carry out must not be given.
template <member_name Field>
rule not_done(std::string_view message, std::string_view hint) {
  return {.cel = "!has(self." + std::string(Field.view()) + ")",
          .message = message,
          .hint = hint,
          .field = Field.view(),
          .holds = [](json::value const& self) { return !has(self, Field.view()); }};
}
/// Rule: the member is used literally, so it must not contain a placeholder of another program.
template <member_name Field>
rule filled_in() {
  std::string field(Field.view());
  return {.cel = "!has(self." + field + ") || !self." + field + ".matches('" + std::string(placeholders::pattern) + "')",
          .message = placeholders::why_not,
          .hint = "Write the value itself, or let that program fill it in first.",
          .field = Field.view(),
          .holds = [](json::value const& self) { return !is_unfilled(self.text(Field.view())); }};
}

// Bounds that many fields share.
inline constexpr limits object_name{.max_length = 253,
                                    .pattern = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)",
                                    .pattern_says = "the name of an object: lower-case letters, digits, `-` and `.`, as in `my-backup`"};
/// The name of an object of that kind; marks the field as a reference.
constexpr limits name_of(std::string_view kind) {
  auto named = object_name;
  named.names_kind = kind;
  return named;
}
inline constexpr limits secret_name = name_of("Secret"), service_account_name = name_of("ServiceAccount");
inline constexpr limits namespace_name{.max_length = 63,
                                       .pattern = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?$)",
                                       .pattern_says = "the name of a namespace: lower-case letters, digits and `-`, as in `team-a`"};
inline constexpr limits secret_key{.max_length = 253,
                                   .pattern = R"(^[-._a-zA-Z0-9]+$)",
                                   .pattern_says = "a key of a Secret or ConfigMap: letters, digits, `-`, `_` and `.`"};
inline constexpr limits quantity{
    .max_length = 32, .pattern = R"(^[0-9]+(\.[0-9]+)?(Ki|Mi|Gi|Ti|Pi|Ei|k|M|G|T|P|E)?$)", .pattern_says = "a quantity, as in `10Gi`"};
inline constexpr limits cron_text{.max_length = 256,
                                  .pattern = R"(^ *(@[a-z]+|[^ ]+( +[^ ]+){4}) *$)",
                                  .pattern_says = "a cron of five fields, as in `H 3 * * *`",
                                  .format = "cron"};
inline constexpr limits timezone_text{.min_length = 1,
                                      .max_length = 64,
                                      .pattern = R"(^[A-Za-z0-9_+/-]+$)",
                                      .pattern_says = "an IANA time zone, as in `Europe/Berlin`",
                                      .format = "timezone"};
inline constexpr limits duration_text{
    .max_length = 32, .pattern = R"(^(0|([0-9]+(\.[0-9]+)?(ms|s|m|h|d))+)$)", .pattern_says = "a duration such as 90s, 15m or 1h30m"};
/// A duration of at most so many hours.
constexpr limits up_to(std::chrono::hours longest) { return {.longest = longest.count()}; }
/// Seconds from `least` on.
constexpr limits seconds(std::int64_t least, std::chrono::seconds longest) { return {.min = least, .max = longest.count()}; }
/// Without `-` in front: other programs would read it as a flag.
inline constexpr limits host_text{
    .min_length = 1, .max_length = 253, .pattern = R"(^[A-Za-z0-9._:][A-Za-z0-9._:-]*$)", .pattern_says = "a host name or address"};
inline constexpr limits path_text{
    .min_length = 1, .max_length = 4096, .pattern = R"(^/[^\n\r\t]*$)", .pattern_says = "an absolute path, as in `/pvc/data`"};
/// A path that kopia records: kopia refuses one that ends with a slash or a backslash.
inline constexpr limits recorded_path{.min_length = 1,
                                      .max_length = 4096,
                                      .pattern = R"(^/([^\n\r\t]*[^\n\r\t/\\])?$)",
                                      .pattern_says = "an absolute path without a slash at its end, as in `/pvc/data`"};
inline constexpr limits identity_part{.min_length = 1,
                                      .max_length = 253,
                                      .pattern = R"(^[^@: \n\r\t]+$)",
                                      .pattern_says = "one part of kopia's `user@host:path`: no `@`, no `:`, no blanks"};
/// One that kopiur passes to kopia: with a leading `-` kopia would read it as a flag.
inline constexpr limits own_identity_part{
    .min_length = 1,
    .max_length = 253,
    .pattern = R"(^[^-@: \n\r\t][^@: \n\r\t]*$)",
    .pattern_says = "one part of kopia's `user@host:path`: no `@`, no `:`, no blanks, no `-` in front"};
inline constexpr limits at_least_0{.min = 0}, at_least_1{.min = 1};

}  // namespace kopiur::proto::schema
