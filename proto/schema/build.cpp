#include "proto/schema/build.hpp"

namespace kopiur::proto::schema {
namespace {

/// The stricter of what a type says and what a note adds.
void tighten(limits& to, limits const& by) {
  if (by.min) to.min = by.min;
  if (by.max) to.max = by.max;
  if (by.min_length) to.min_length = by.min_length;
  if (by.max_length) to.max_length = by.max_length;
  if (!by.pattern.empty()) to.pattern = by.pattern, to.pattern_says = by.pattern_says;
  if (!by.format.empty()) to.format = by.format;
}

bool has_default_inside(node const& of) {
  return std::ranges::any_of(of.properties, [](node::field const& each) { return each.content.default_.has_value(); });
}

}  // namespace

void apply(node& to, field_note const& note) {
  to.description = note.text;
  tighten(to.bounds, note.own);
  if (!to.item.empty()) tighten(to.item.front().bounds, note.item);
  to.min_items = note.min_items, to.max_items = note.max_items;
  to.map_key = note.map_key;
}

void lay_among(node& to, node inner) {
  std::ranges::move(inner.properties, std::back_inserter(to.properties));
  std::ranges::move(inner.required, std::back_inserter(to.required));
  std::ranges::move(inner.one_of, std::back_inserter(to.one_of));
  std::ranges::move(inner.tags, std::back_inserter(to.tags));
  std::ranges::move(inner.rules, std::back_inserter(to.rules));
  std::ranges::move(inner.refused, std::back_inserter(to.refused));
  std::ranges::move(inner.without_note, std::back_inserter(to.without_note));
  std::ranges::move(inner.note_without_field, std::back_inserter(to.note_without_field));
}

void add_field(node& to, node child, field_facts facts, purpose why) {
  if (facts.note)
    apply(child, *facts.note);
  else
    to.without_note.push_back(facts.name);
  bool plain_object = child.type == node::shape::Object && !facts.optional;
  bool nothing_to_fall_back_on = !facts.default_ && (facts.needs_value || (plain_object && !child.required.empty()));
  bool required = (facts.note && facts.note->required) || (why != purpose::Status && nothing_to_fall_back_on);
  if (required) to.required.push_back(facts.name);
  if (why != purpose::Status && !required) child.default_ = facts.default_;
  if (why == purpose::Spec && !required && plain_object && has_default_inside(child)) child.default_ = json::value::make_object();
  to.properties.emplace_back(facts.name, std::move(child));
}

}  // namespace kopiur::proto::schema
