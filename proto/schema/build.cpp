#include "proto/schema/build.hpp"

namespace kopiur::proto::schema {
namespace {

/// The stricter of the type's bounds and the note's bounds.
void tighten(node& node, limits const& by) {
  auto& bounds = node.bounds;
  if (!by.values.empty()) node.values.assign(by.values.begin(), by.values.end());
  if (by.min) bounds.min = by.min;
  if (by.max) bounds.max = by.max;
  if (by.min_length) bounds.min_length = by.min_length;
  if (by.max_length) bounds.max_length = by.max_length;
  if (!by.pattern.empty()) bounds.pattern = by.pattern, bounds.pattern_says = by.pattern_says;
  if (!by.format.empty()) bounds.format = by.format;
  if (!by.names_kind.empty()) bounds.names_kind = by.names_kind;
  if (by.longest) bounds.longest = by.longest;
}

bool has_default_inside(node const& schema) {
  return std::ranges::any_of(schema.properties, [](node::field const& each) { return each.content.default_.has_value(); });
}

}  // namespace

void apply(node& node, field_note const& note, purpose why) {
  auto as_said = [why](limits limits) {
    if (why == purpose::Status) limits.pattern = {};
    if (why != purpose::Spec) limits.longest = {};
    if (why != purpose::Spec) limits.values = {};
    return limits;
  };
  node.description = note.text;
  tighten(node, as_said(note.own));
  if (!node.item.empty()) tighten(node.item.front(), as_said(note.item));
  if (!node.item.empty()) node.min_items = note.min_items, node.max_items = note.max_items;
  node.map_key = note.map_key;
}

struct_node::struct_node(type_notes notes, purpose why)
    : out_{.type = node::shape::Object, .description = std::string(notes.text)}, notes_(std::move(notes)), why_(why) {
  if (why != purpose::Status || notes_.ruled_in_status) out_.rules = notes_.rules;
  out_.min_items = notes_.min_members, out_.max_items = notes_.max_members;
  out_.refused = notes_.refused;
  out_.open = notes_.open;
}

void struct_node::lay_among(node inner) {
  std::ranges::move(inner.properties, std::back_inserter(out_.properties));
  std::ranges::move(inner.required, std::back_inserter(out_.required));
  std::ranges::move(inner.one_of, std::back_inserter(out_.one_of));
  std::ranges::move(inner.tags, std::back_inserter(out_.tags));
  std::ranges::move(inner.rules, std::back_inserter(out_.rules));
  std::ranges::move(inner.refused, std::back_inserter(out_.refused));
  std::ranges::move(inner.without_note, std::back_inserter(out_.without_note));
  std::ranges::move(inner.note_without_field, std::back_inserter(out_.note_without_field));
}

void struct_node::add(std::string const& name, node child, field_facts facts) {
  seen_.push_back(name);
  auto note = std::ranges::find(notes_.fields, name, &field_note::field);
  bool noted = note != notes_.fields.end();
  if (noted)
    apply(child, *note, why_);
  else
    out_.without_note.push_back(name);
  bool plain_object = child.type == node::shape::Object && !facts.optional;
  bool nothing_to_fall_back_on = !facts.default_ && (facts.needs_value || (plain_object && !child.required.empty()));
  bool required = (noted && note->required) || (why_ != purpose::Status && nothing_to_fall_back_on);
  if (required) out_.required.push_back(name);
  if (why_ != purpose::Status && !required) child.default_ = facts.default_;
  if (why_ == purpose::Spec && !required && plain_object && has_default_inside(child)) child.default_ = json::value::make_object();
  out_.properties.emplace_back(name, std::move(child));
}

node struct_node::finished() {
  for (auto& note : notes_.fields)
    if (std::ranges::find(seen_, note.field) == seen_.end()) out_.note_without_field.emplace_back(note.field);
  return std::move(out_);
}

}  // namespace kopiur::proto::schema
