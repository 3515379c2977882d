#pragma once
#include <algorithm>
#include <type_traits>

#include "common/json/codec.hpp"
#include "proto/schema/node.hpp"

/// Builds a schema tree from structs and their notes. Included by the few .cpp files that build trees.
namespace kopiur::proto::schema {

/// Which document the schema is for.
enum class purpose {
  Spec,    ///< written by users: defaults are shown, fields without one are required
  Status,  ///< written by services, each its own fragment: required only if a note says so; no defaults, no rules
  Body     ///< messages between programs: unknown members are accepted
};

template <class T>
concept has_notes = requires { notes_of(std::type_identity<T>{}); };

template <class T>
type_notes notes_for() {
  if constexpr (has_notes<T>) return notes_of(std::type_identity<T>{});
  return {};
}

/// What the type of a field implies.
struct field_facts {
  std::optional<json::value> default_;
  bool optional = false;
  bool needs_value = false;  ///< a plain field without a possible default
};

/// Applies a note to the node of its field. Lists of allowed values apply to Spec only. A status text is never refused: it repeats what
/// users wrote under earlier rules, and a refused status would stop the service that writes it.
void apply(node& node, field_note const& note, purpose why);

/// Builds the node of a struct, member by member. One class for all structs: each struct costs compile time only for its members.
class struct_node {
 public:
  struct_node(type_notes notes, purpose why);
  /// Adds a field under its name: required, or with its default.
  void add(std::string const& name, node child, field_facts facts);
  /// Adds the properties of an inlined member to the struct's own.
  void lay_among(node inner);
  /// Returns the node once all members are added; records notes that match no member.
  node finished();

 private:
  node out_;
  type_notes notes_;
  purpose why_;
  std::vector<std::string> seen_;
};

template <class T>
node build(T const& defaults, purpose why);

namespace detail {

template <class E>
node build_enum() {
  node out{.type = node::shape::Text};
  json::mp::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) { out.values.emplace_back(d.name); });
  return out;
}

template <class... Alternative>
node build_union(std::variant<Alternative...> const&, purpose why) {
  node out{.type = node::shape::Object};
  auto add = [&]<class A>(std::type_identity<A>) {
    node child = build(A{}, why);
    child.default_.reset();
    out.properties.emplace_back(std::string(A::member), std::move(child));
    out.one_of.emplace_back(A::member);
    if constexpr (requires { A::kind_name; }) out.tags.emplace_back(A::kind_name, A::member);
  };
  (add(std::type_identity<Alternative>{}), ...);
  if (!out.tags.empty()) {
    node kind{.type = node::shape::Text, .description = "Names the member that is given; may be left out, must agree where it is not."};
    for (auto& [value, member] : out.tags) kind.values.push_back(value);
    out.properties.emplace_back("kind", std::move(kind));
  }
  return out;
}

/// The value of a field that no user sets, if it is worth showing.
template <class F>
std::optional<json::value> default_of(F const& field) {
  if constexpr (json::is_optional<F>::value) {
    return field ? default_of(*field) : std::nullopt;
  } else if constexpr (json::is_interned<F>::value) {
    return default_of(*field);
  } else if constexpr (std::same_as<F, std::string>) {
    return field.empty() ? std::nullopt : std::optional(json::value(field));
  } else if constexpr (std::is_arithmetic_v<F> || std::same_as<F, duration> || json::described_enum<F>) {
    return json::encode(field);
  }
  return {};
}

/// Whether a plain field of that type must be given when it has no default.
template <class F>
constexpr bool must_be_given =
    std::same_as<F, std::string> || std::same_as<F, instant> || std::same_as<F, json::value> || json::is_variant<F>::value;

template <class T, class D>
void build_member(T const& defaults, struct_node& out, purpose why) {
  auto const& field = defaults.*D::pointer;
  using type = std::remove_cvref_t<decltype(field)>;
  auto name = json::wire_name(D::name);
  if (json::is_inlined<T>(name)) return out.lay_among(build(field, why));
  out.add(name, build(field, why), {default_of(field), json::is_optional<type>::value, must_be_given<type>});
}

template <class T, template <class...> class List, class... D>
node build_struct(T const& defaults, purpose why, List<D...>) {
  struct_node out(notes_for<T>(), why);
  (build_member<T, D>(defaults, out, why), ...);
  return out.finished();
}

/// A struct that is represented by the content of its only member.
template <class T>
node build_transparent(T const& defaults, purpose why) {
  auto notes = notes_for<T>();
  node out = build(defaults.*(json::mp::mp_front<json::members_of<T>>::pointer), why);
  if (notes.fields.empty())
    out.without_note.emplace_back(".");
  else
    apply(out, notes.fields.front(), why);
  if (!notes.text.empty()) out.description = notes.text;
  if (why != purpose::Status) out.rules.insert(out.rules.end(), notes.rules.begin(), notes.rules.end());
  return out;
}

}  // namespace detail

template <class T>
node build(T const& defaults, purpose why) {
  using shape = node::shape;
  if constexpr (std::same_as<T, json::value> || json::json_like<T>)
    return {.type = shape::Anything};
  else if constexpr (std::same_as<T, bool>)
    return {.type = shape::Boolean};
  else if constexpr (std::is_integral_v<T>)
    return {.type = shape::Integer, .format = sizeof(T) == 4 ? "int32" : "int64"};
  else if constexpr (std::is_floating_point_v<T>)
    return {.type = shape::Number};
  else if constexpr (std::same_as<T, std::string> || json::text_like<T>)
    return {.type = shape::Text};
  else if constexpr (std::same_as<T, instant>)
    return {.type = shape::Text, .format = "date-time"};
  else if constexpr (std::same_as<T, duration>)
    return {.type = shape::Text, .bounds = duration_text};
  else if constexpr (json::described_enum<T>)
    return detail::build_enum<T>();
  else if constexpr (json::is_optional<T>::value)
    return build(defaults.value_or(typename T::value_type{}), why);
  else if constexpr (json::is_interned<T>::value)
    return build(*defaults, why);
  else if constexpr (json::is_vector<T>::value)
    return {.type = shape::List, .item = {build(typename T::value_type{}, why)}};
  else if constexpr (json::is_map<T>::value)
    return {.type = shape::Map, .item = {build(typename T::mapped_type{}, why)}};
  else if constexpr (json::is_variant<T>::value)
    return detail::build_union(defaults, why);
  else if constexpr (json::transparent_struct<T>)
    return detail::build_transparent(defaults, why);
  else
    return detail::build_struct(defaults, why, json::members_of<T>{});
}

}  // namespace kopiur::proto::schema
