#pragma once
#include <array>
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <chrono>
#include <concepts>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/json/frozen.hpp"
#include "common/json/shapes.hpp"
#include "common/json/value.hpp"
#include "common/time/instant.hpp"

/// Described structs to JSON and back (Boost.Describe). The rules:
/// - a member `snapshot_id` is `snapshotId` on the wire; `unique_ID` is `uniqueID`; a trailing underscore (`namespace_`) is dropped;
/// - an enumerator is its text; `std::optional` (and `frozen`, `shared`) is absent when empty, `interned` is as its value; a struct with
/// only defaults may be absent;
/// - a `std::variant` of structs is an object with exactly one member, named by the alternative's `static constexpr member`;
/// - `static constexpr bool transparent = true` on a struct of one member: it is written as that member's content (`all: true`);
/// - `static constexpr std::string_view inlined = "action"`: the fields of that member appear among the struct's own;
/// - `static constexpr bool omit_defaults = true`: members that have their default are not written (metadata, whole objects);
/// - instants are RFC 3339, durations Go's text (`1h30m`); a type with `json_text()` and a constructor from string is a string;
/// - a type with `json_value()` and `from_json()` is what these say.
/// Decoding is lenient: unknown members are ignored, absent ones keep their default. The schema does the strict check (proto/schema).
namespace kopiur::json {

namespace mp = boost::mp11;
using kopiur::to_text;

template <class T>
concept described_struct = boost::describe::has_describe_members<T>::value && !std::is_union_v<T>;
template <class T>
concept described_enum = boost::describe::has_describe_enumerators<T>::value;
/// A strong type for text: explicit constructor, `json_text()`.
template <class T>
concept text_like = requires(T const& t) {
  { t.json_text() } -> std::convertible_to<std::string_view>;
} && std::constructible_from<T, std::string>;

/// A type that keeps its JSON: `json_value()`, and `from_json()` that returns it or a problem.
template <class T>
concept json_like = requires(T const& t, value all) {
  { t.json_value() } -> std::convertible_to<value>;
  { T::from_json(std::move(all)) } -> std::same_as<std::expected<T, problem>>;
};

template <class T>
concept transparent_struct = described_struct<T> && requires { requires T::transparent; };
template <class T>
concept omits_defaults = requires { requires T::omit_defaults; };

/// `snapshot_id` -> `snapshotId`.
std::string wire_name(std::string_view member);

template <class T>
using members_of = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

/// Whether the member's fields appear among T's own.
template <class T>
bool is_inlined(std::string_view wire) {
  if constexpr (requires { T::inlined; }) return wire == T::inlined;
  return false;
}

/// Calls `f(wire name, member pointer)` for each described member. described.hpp checks that every field is described.
template <described_struct T, class F>
void for_each_member(F&& f) {
  mp::mp_for_each<members_of<T>>([&](auto d) {
    static std::string const name = wire_name(d.name);
    f(name, d.pointer);
  });
}

/// One value of an enum, and its text.
struct enumerator {
  long long value;
  std::string_view name;
};
template <described_enum E, template <class...> class List, class... D>
constexpr std::array<enumerator, sizeof...(D)> list_enumerators(List<D...>) {
  return {enumerator{static_cast<long long>(D::value), D::name}...};
}
/// The values of an enum, in the order of their description.
template <described_enum E>
inline constexpr auto enumerators_of = list_enumerators<E>(boost::describe::describe_enumerators<E>{});

/// `?` when no enumerator has that value.
std::string_view name_among(std::span<enumerator const> known, long long value);
enumerator const* find_among(std::span<enumerator const> known, std::string_view name);

/// The text of an enumerator.
template <described_enum E>
std::string_view to_text(E e) {
  return name_among(enumerators_of<E>, static_cast<long long>(e));
}
template <described_enum E>
std::optional<E> from_text(std::string_view text) {
  auto* found = find_among(enumerators_of<E>, text);
  return found ? std::optional(static_cast<E>(found->value)) : std::nullopt;
}

template <class T>
value encode(T const& from);
/// Reads into `to`; members that are absent from the document keep their value. The problem names the field.
template <class T>
[[nodiscard]] std::expected<void, problem> decode_into(value const& from, T& target);

/// The loops over members and items are compiled once (codec.cpp), over erased types: each member adds a table row, not a copy of the loop.
namespace detail {
using outcome = std::expected<void, problem>;

inline std::unexpected<problem> wrong(std::string_view what) { return std::unexpected(problem{"", std::string(what)}); }
/// The problem with its path extended by the enclosing object or list.
problem inside(std::string_view name, problem p);

/// How to read and write a value of some type.
struct type_codec {
  value (*encode)(void const* from);
  outcome (*decode)(value const& from, void* target);
  bool (*is_written)(void const* from);  ///< nullptr: always; an empty optional, list or map is not written
};
/// A member of a struct.
struct member_codec {
  std::string name;  ///< on the wire
  bool inlined;      ///< its fields appear among the struct's own
  void* (*member_in)(void* holder);
  type_codec const* type;
};
struct struct_codec {
  std::vector<member_codec> members;
  std::vector<value> defaults;  ///< of the members, if omit_defaults is set; else empty
};
/// A list: how to add an item, and how to read one.
struct list_codec {
  void* (*add)(void* list);
  type_codec const* item;
};

value encode_members(void const* from, struct_codec const& codec);
outcome decode_members(value const& from, void* target, struct_codec const& codec);
/// `to` must be an empty list.
outcome decode_items(value const& from, void* target, list_codec const& codec);
outcome not_among(std::span<enumerator const> known);

template <class F>
constexpr auto written_if() -> bool (*)(void const*) {
  if constexpr (is_optional<F>::value) {
    return [](void const* from) { return static_cast<F const*>(from)->has_value(); };
  } else if constexpr (is_vector<F>::value || is_map<F>::value) {
    return [](void const* from) { return !static_cast<F const*>(from)->empty(); };
  } else if constexpr (is_interned<F>::value) {
    constexpr auto of_value = written_if<typename F::value_type>();
    if constexpr (of_value)
      return [](void const* from) { return of_value(std::addressof(**static_cast<F const*>(from))); };
    else
      return nullptr;
  } else {
    return nullptr;
  }
}
template <class F>
inline constexpr type_codec codec_of = {
    .encode = [](void const* from) { return encode(*static_cast<F const*>(from)); },
    .decode = [](value const& from, void* target) { return decode_into(from, *static_cast<F*>(target)); },
    .is_written = written_if<F>()};

template <class T, class D>
member_codec member_with() {
  using field = std::remove_cvref_t<decltype(std::declval<T&>().*D::pointer)>;
  auto name = wire_name(D::name);
  auto inlined = is_inlined<T>(name);
  auto member_in = [](void* holder) -> void* { return std::addressof(static_cast<T*>(holder)->*D::pointer); };
  return {.name = std::move(name), .inlined = inlined, .member_in = member_in, .type = &codec_of<field>};
}
template <class T, template <class...> class List, class... D>
std::vector<member_codec> list_members(List<D...>) {
  std::vector<member_codec> all;
  all.reserve(sizeof...(D));
  (all.push_back(member_with<T, D>()), ...);
  return all;
}
std::vector<value> encode_each(void const* from, std::vector<member_codec> const& members);

template <described_struct T>
struct_codec const& members_with() {
  static struct_codec const all = [] {
    struct_codec made{.members = list_members<T>(members_of<T>{}), .defaults = {}};
    if constexpr (omits_defaults<T>) {
      T const untouched{};
      made.defaults = encode_each(&untouched, made.members);
    }
    return made;
  }();
  return all;
}

/// The one value for this JSON.
template <class T>
outcome decode_shared(value const& from, shared<T>& target) {
  auto text = dump(from);
  if (target = shared<T>::known(text); target) return {};
  T inner{};
  if (auto read = decode_into(from, inner); !read) return read;
  target = shared<T>::keep(std::move(text), std::move(inner));
  return {};
}
}  // namespace detail

template <class T>
value encode(T const& from) {
  if constexpr (std::same_as<T, value> || std::same_as<T, std::string> || std::is_arithmetic_v<T>) {
    return value(from);
  } else if constexpr (std::same_as<T, instant> || std::same_as<T, duration> || described_enum<T>) {
    return value(to_text(from));
  } else if constexpr (text_like<T>) {
    return value(std::string(from.json_text()));
  } else if constexpr (json_like<T>) {
    return from.json_value();
  } else if constexpr (is_optional<T>::value) {
    return from ? encode(*from) : value(nullptr);
  } else if constexpr (is_interned<T>::value) {
    return encode(*from);
  } else if constexpr (is_vector<T>::value) {
    value items = value::make_array();
    for (auto const& item : from) items.push(encode(item));
    return items;
  } else if constexpr (is_map<T>::value) {
    object members;
    members.reserve(from.size());
    for (auto const& [name, content] : from) members.emplace_back(name, encode(content));
    return members;
  } else if constexpr (is_variant<T>::value) {
    return std::visit(
        [](auto const& one) {
          value tagged = value::make_object();
          tagged.set(std::remove_cvref_t<decltype(one)>::member, encode(one));
          return tagged;
        },
        from);
  } else if constexpr (transparent_struct<T>) {
    return encode(from.*(mp::mp_front<members_of<T>>::pointer));
  } else {
    static_assert(described_struct<T>, "neither described nor a type that the codec knows");
    return detail::encode_members(&from, detail::members_with<T>());
  }
}

template <class T>
std::expected<void, problem> decode_into(value const& from, T& target) {
  using detail::wrong;
  if constexpr (std::same_as<T, value>) {
    target = from;
  } else if constexpr (std::same_as<T, bool>) {
    if (!from.as_bool()) return wrong("must be true or false");
    target = *from.as_bool();
  } else if constexpr (std::is_integral_v<T>) {
    if (!from.as_int()) return wrong("must be a whole number");
    if (!std::in_range<T>(*from.as_int())) return wrong("is out of range");
    target = static_cast<T>(*from.as_int());
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!from.as_int() && !from.as_double()) return wrong("must be a number");
    target = from.as_int() ? static_cast<T>(*from.as_int()) : static_cast<T>(*from.as_double());
  } else if constexpr (std::same_as<T, std::string>) {
    if (!from.as_string()) return wrong("must be text");
    target = *from.as_string();
  } else if constexpr (std::same_as<T, instant>) {
    auto read = from.as_string() ? instant_from(*from.as_string()) : std::nullopt;
    if (!read) return wrong("must be an instant such as 2026-11-21T06:00:00Z");
    target = *read;
  } else if constexpr (std::same_as<T, duration>) {
    auto read = from.as_string() ? duration_from(*from.as_string()) : std::nullopt;
    if (!read) return wrong("must be a duration such as 90s, 15m or 1h30m");
    target = *read;
  } else if constexpr (described_enum<T>) {
    auto read = from.as_string() ? from_text<T>(*from.as_string()) : std::nullopt;
    if (!read) return detail::not_among(enumerators_of<T>);
    target = *read;
  } else if constexpr (text_like<T>) {
    if (!from.as_string()) return wrong("must be text");
    target = T(*from.as_string());
  } else if constexpr (json_like<T>) {
    auto read = T::from_json(from);
    if (!read) return std::unexpected(read.error());
    target = std::move(*read);
  } else if constexpr (is_optional<T>::value) {
    if (from.is_null()) {
      target.reset();
    } else if constexpr (is_shared<T>::value) {
      return detail::decode_shared(from, target);
    } else {
      typename T::value_type inner{};
      if (auto read = decode_into(from, inner); !read) return read;
      target = std::move(inner);
    }
  } else if constexpr (is_interned<T>::value) {
    shared<typename T::value_type> value;
    if (auto read = detail::decode_shared(from, value); !read) return read;
    target = T(std::move(value));
  } else if constexpr (is_vector<T>::value) {
    static constexpr detail::list_codec list = {.add = [](void* items) -> void* { return &static_cast<T*>(items)->emplace_back(); },
                                                .item = &detail::codec_of<typename T::value_type>};
    target.clear();
    return detail::decode_items(from, &target, list);
  } else if constexpr (is_map<T>::value) {
    if (!from.as_object()) return wrong("must be an object");
    target.clear();
    for (auto const& [name, content] : *from.as_object()) {
      typename T::mapped_type inner{};
      if (auto read = decode_into(content, inner); !read) return std::unexpected(detail::inside(name, read.error()));
      target.emplace(name, std::move(inner));
    }
  } else if constexpr (is_variant<T>::value) {
    if (!from.as_object()) return wrong("must be an object");
    int found = 0;
    std::string known;
    std::expected<void, problem> read;
    mp::mp_for_each<mp::mp_transform<std::type_identity, T>>([&](auto identity) {
      using alternative = typename decltype(identity)::type;
      known += (known.empty() ? "" : ", ") + std::string(alternative::member);
      auto* content = from.find(alternative::member);
      if (!content) return;
      ++found;
      alternative inner{};
      if (auto one = decode_into(*content, inner); !one) read = std::unexpected(detail::inside(alternative::member, one.error()));
      target = std::move(inner);
    });
    if (found != 1) return wrong("must have exactly one of " + known);
    return read;
  } else if constexpr (transparent_struct<T>) {
    return decode_into(from, target.*(mp::mp_front<members_of<T>>::pointer));
  } else {
    static_assert(described_struct<T>, "neither described nor a type that the codec knows");
    return detail::decode_members(from, &target, detail::members_with<T>());
  }
  return {};
}

/// Reads a T; the problem names the field, as `spec.sources[2].pvc`.
template <class T>
[[nodiscard]] std::expected<T, problem> decode(value const& from) {
  T target{};
  if (auto read = decode_into(from, target); !read) return std::unexpected(read.error());
  return target;
}

/// Parses JSON text to a T.
template <class T>
[[nodiscard]] std::expected<T, problem> read(std::string_view text, bounds const& most = {}) {
  auto parsed = parse(text, most);
  if (!parsed) return std::unexpected(parsed.error());
  return decode<T>(*parsed);
}
/// Writes a T as JSON text.
template <class T>
std::string write(T const& from) {
  return dump(encode(from));
}

/// The value that all equal ones share, as if it had been read.
template <class T>
shared<T> share(T one) {
  auto text = write(one);
  auto known = shared<T>::known(text);
  return known ? known : shared<T>::keep(std::move(text), std::move(one));
}

}  // namespace kopiur::json
