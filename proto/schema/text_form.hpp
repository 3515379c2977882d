#pragma once
#include <string_view>

#include "proto/schema/notes.hpp"

/// Rules about the form of one text, for an API that states them as CEL with messages of its own. Elsewhere `limits::pattern` is enough.
namespace kopiur::proto::schema {

/// One of `pattern` and `without`.
struct text_form {
  std::string_view pattern = {};  ///< as limits::pattern
  std::string_view without = {};  ///< must not occur in the text
  std::string_view message, hint;
};

/// Whether the whole text matches; false beyond 4096 bytes.
bool matches(std::string_view text, std::string_view pattern);
/// Whether the text has that form.
bool has_form(std::string_view text, text_form const& form);
/// The rule in CEL. The member may be absent.
std::string cel_of(std::string_view member, text_form const& form);

/// Rule: the member, if given, has that form.
template <member_name Member, text_form const& Form>
rule of_form() {
  return {.cel = cel_of(Member.view(), Form),
          .message = Form.message,
          .hint = Form.hint,
          .field = Member.view(),
          .holds = [](json::value const& self) { return !has(self, Member.view()) || has_form(self.text(Member.view()), Form); }};
}
/// Rule: the member keeps its value. Setting and removing it are other rules.
template <member_name Member>
rule unchanged(std::string_view message, std::string_view hint) {
  std::string name(Member.view());
  return {.cel = "!has(oldSelf." + name + ") || !has(self." + name + ") || self." + name + " == oldSelf." + name,
          .message = message,
          .hint = hint,
          .field = Member.view(),
          .holds_after = [](json::value const& self, json::value const& old) {
            return !has(old, Member.view()) || !has(self, Member.view()) || self.text(Member.view()) == old.text(Member.view());
          }};
}
/// Rule: once the member is set, it stays set.
template <member_name Member>
rule kept(std::string_view message, std::string_view hint) {
  std::string name(Member.view());
  return {
      .cel = "!has(oldSelf." + name + ") || has(self." + name + ")",
      .message = message,
      .hint = hint,
      .field = Member.view(),
      .holds_after = [](json::value const& self, json::value const& old) { return !has(old, Member.view()) || has(self, Member.view()); }};
}
/// Rule: the whole struct keeps its value.
inline rule immutable(std::string_view message, std::string_view hint) {
  return {.cel = "self == oldSelf", .message = message, .hint = hint, .holds_after = [](json::value const& self, json::value const& old) {
            return self == old;
          }};
}

}  // namespace kopiur::proto::schema
