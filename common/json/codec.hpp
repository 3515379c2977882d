#pragma once
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <boost/pfr/tuple_size.hpp>
#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/json/frozen.hpp"
#include "common/json/value.hpp"
#include "common/time/instant.hpp"

/// Described structs to JSON and back (Boost.Describe). The rules, once:
/// - a member `snapshot_id` is `snapshotId` on the wire; `unique_ID` is `uniqueID`; a trailing underscore (`namespace_`) is dropped;
/// - an enumerator is its own text; `std::optional` (and `frozen`, `shared`) is absent when empty; a struct that has only defaults may be
/// absent too;
/// - a `std::variant` of structs is an object with exactly one member, named by the alternative's `static constexpr member`;
/// - `static constexpr bool transparent = true` on a struct of one member: it is that member's content (`all: true`);
/// - `static constexpr std::string_view inlined = "action"`: the fields of that member stand among the struct's own;
/// - `static constexpr bool omit_defaults = true`: members that hold their default are not written (metadata, whole objects);
/// - instants are RFC 3339, durations Go's text (`1h30m`); a type with `json_text()` and a constructor from string is a string.
/// Decoding is lenient: unknown members pass, absent ones keep their default. The strict check at the door is the schema's (proto/schema).
namespace kopiur::json {

namespace mp = boost::mp11;
using kopiur::to_text;

template <class T>
concept described_struct = boost::describe::has_describe_members<T>::value && !std::is_union_v<T>;
template <class T>
concept described_enum = boost::describe::has_describe_enumerators<T>::value;
/// A strong type over text: explicit constructor, `json_text()`.
template <class T>
concept text_like = requires(T const& t) {
  { t.json_text() } -> std::convertible_to<std::string_view>;
} && std::constructible_from<T, std::string>;

template <class T>
concept transparent_struct = described_struct<T> && requires { requires T::transparent; };
template <class T>
concept omits_defaults = requires { requires T::omit_defaults; };

/// `snapshot_id` -> `snapshotId`.
std::string wire_name(std::string_view member);

template <class T>
using members_of = boost::describe::describe_members<T, boost::describe::mod_public | boost::describe::mod_inherited>;

/// Whether that member's fields stand among T's own.
template <class T>
bool is_inlined(std::string_view wire) {
  if constexpr (requires { T::inlined; }) return wire == T::inlined;
  return false;
}

/// Calls `f(wire name, member pointer)` for each described member.
template <described_struct T, class F>
void for_each_member(F&& f) {
  static_assert(mp::mp_size<members_of<T>>::value == boost::pfr::tuple_size_v<T>, "a field of this struct is not described");
  mp::mp_for_each<members_of<T>>([&](auto d) {
    static std::string const name = wire_name(d.name);
    f(name, d.pointer);
  });
}

/// The text of an enumerator.
template <described_enum E>
std::string_view to_text(E e) {
  std::string_view text = "?";
  mp::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) {
    if (d.value == e) text = d.name;
  });
  return text;
}
template <described_enum E>
std::optional<E> from_text(std::string_view text) {
  std::optional<E> found;
  mp::mp_for_each<boost::describe::describe_enumerators<E>>([&](auto d) {
    if (text == d.name) found = d.value;
  });
  return found;
}

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_optional<frozen<T>> : std::true_type {};
template <class T>
struct is_optional<shared<T>> : std::true_type {};
template <class T>
struct is_shared : std::false_type {};
template <class T>
struct is_shared<shared<T>> : std::true_type {};
template <class T>
struct is_vector : std::false_type {};
template <class T>
struct is_vector<std::vector<T>> : std::true_type {};
template <class T>
struct is_map : std::false_type {};
template <class T>
struct is_map<std::map<std::string, T>> : std::true_type {};
template <class T>
struct is_variant : std::false_type {};
template <class... T>
struct is_variant<std::variant<T...>> : std::true_type {};

template <class T>
value encode(T const& from) {
  if constexpr (std::same_as<T, value> || std::same_as<T, std::string> || std::is_arithmetic_v<T>) {
    return value(from);
  } else if constexpr (std::same_as<T, instant>) {
    return value(to_text(from));
  } else if constexpr (std::same_as<T, duration>) {
    return value(to_text(from));
  } else if constexpr (described_enum<T>) {
    return value(to_text(from));
  } else if constexpr (text_like<T>) {
    return value(std::string(from.json_text()));
  } else if constexpr (is_optional<T>::value) {
    return from ? encode(*from) : value(nullptr);
  } else if constexpr (is_vector<T>::value) {
    value items = value::make_array();
    for (auto const& item : from) items.push(encode(item));
    return items;
  } else if constexpr (is_map<T>::value) {
    value members = value::make_object();
    for (auto const& [name, content] : from) members.set(name, encode(content));
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
    value out = value::make_object();
    for_each_member<T>([&](std::string const& name, auto pointer) {
      auto const& field = from.*pointer;
      using field_type = std::remove_cvref_t<decltype(field)>;
      if (is_inlined<T>(name)) {
        value inner = encode(field);
        if (auto* members = inner.as_object())
          for (auto& [inner_name, content] : *members) out.set(inner_name, std::move(content));
        return;
      }
      if constexpr (omits_defaults<T>) {
        static value const untouched = encode(T{}.*pointer);
        if (encode(field) == untouched) return;
      }
      if constexpr (is_optional<field_type>::value) {
        if (field) out.set(name, encode(*field));
      } else if constexpr (is_vector<field_type>::value || is_map<field_type>::value) {
        if (!field.empty()) out.set(name, encode(field));
      } else {
        out.set(name, encode(field));
      }
    });
    return out;
  }
}

namespace detail {
inline std::unexpected<problem> wrong(std::string_view what) { return std::unexpected(problem{"", std::string(what)}); }
inline problem inside(std::string_view name, problem p) {
  auto joint = p.where.empty() || p.where.front() == '[' ? "" : ".";
  return {std::string(name) + joint + p.where, std::move(p.what)};
}
}  // namespace detail

/// Reads into `to`, which keeps what it holds where the document says nothing. The problem names the field.
template <class T>
[[nodiscard]] std::expected<void, problem> decode_into(value const& from, T& to) {
  using detail::wrong;
  if constexpr (std::same_as<T, value>) {
    to = from;
  } else if constexpr (std::same_as<T, bool>) {
    if (!from.as_bool()) return wrong("must be true or false");
    to = *from.as_bool();
  } else if constexpr (std::is_integral_v<T>) {
    if (!from.as_int()) return wrong("must be a whole number");
    if (!std::in_range<T>(*from.as_int())) return wrong("is out of range");
    to = static_cast<T>(*from.as_int());
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!from.as_int() && !from.as_double()) return wrong("must be a number");
    to = from.as_int() ? static_cast<T>(*from.as_int()) : static_cast<T>(*from.as_double());
  } else if constexpr (std::same_as<T, std::string>) {
    if (!from.as_string()) return wrong("must be text");
    to = *from.as_string();
  } else if constexpr (std::same_as<T, instant>) {
    auto read = from.as_string() ? instant_from(*from.as_string()) : std::nullopt;
    if (!read) return wrong("must be an instant such as 2026-11-21T06:00:00Z");
    to = *read;
  } else if constexpr (std::same_as<T, duration>) {
    auto read = from.as_string() ? duration_from(*from.as_string()) : std::nullopt;
    if (!read) return wrong("must be a duration such as 90s, 15m or 1h30m");
    to = *read;
  } else if constexpr (described_enum<T>) {
    auto read = from.as_string() ? from_text<T>(*from.as_string()) : std::nullopt;
    if (!read) {
      std::string known;
      mp::mp_for_each<boost::describe::describe_enumerators<T>>(
          [&](auto d) { known += (known.empty() ? "" : ", ") + std::string(d.name); });
      return wrong("must be one of " + known);
    }
    to = *read;
  } else if constexpr (text_like<T>) {
    if (!from.as_string()) return wrong("must be text");
    to = T(*from.as_string());
  } else if constexpr (is_optional<T>::value) {
    if (from.is_null()) {
      to.reset();
    } else if constexpr (is_shared<T>::value) {
      auto text = dump(from);
      if (to = T::known(text); to) return {};
      typename T::value_type inner{};
      if (auto read = decode_into(from, inner); !read) return read;
      to = T::keep(std::move(text), std::move(inner));
    } else {
      typename T::value_type inner{};
      if (auto read = decode_into(from, inner); !read) return read;
      to = std::move(inner);
    }
  } else if constexpr (is_vector<T>::value) {
    if (!from.as_array()) return wrong("must be a list");
    to.clear();
    for (auto const& item : *from.as_array()) {
      typename T::value_type inner{};
      if (auto read = decode_into(item, inner); !read)
        return std::unexpected(detail::inside("[" + std::to_string(to.size()) + "]", read.error()));
      to.push_back(std::move(inner));
    }
  } else if constexpr (is_map<T>::value) {
    if (!from.as_object()) return wrong("must be an object");
    to.clear();
    for (auto const& [name, content] : *from.as_object()) {
      typename T::mapped_type inner{};
      if (auto read = decode_into(content, inner); !read) return std::unexpected(detail::inside(name, read.error()));
      to.emplace(name, std::move(inner));
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
      to = std::move(inner);
    });
    if (found != 1) return wrong("must have exactly one of " + known);
    return read;
  } else if constexpr (transparent_struct<T>) {
    return decode_into(from, to.*(mp::mp_front<members_of<T>>::pointer));
  } else {
    static_assert(described_struct<T>, "neither described nor a type that the codec knows");
    if (!from.as_object()) return wrong("must be an object");
    std::expected<void, problem> read;
    for_each_member<T>([&](std::string const& name, auto pointer) {
      if (read && is_inlined<T>(name)) {
        read = decode_into(from, to.*pointer);
        return;
      }
      auto* content = read ? from.find(name) : nullptr;
      if (!content || content->is_null()) return;
      if (auto one = decode_into(*content, to.*pointer); !one) read = std::unexpected(detail::inside(name, one.error()));
    });
    return read;
  }
  return {};
}

/// Reads a T; the problem names the field, as `spec.sources[2].pvc`.
template <class T>
[[nodiscard]] std::expected<T, problem> decode(value const& from) {
  T to{};
  if (auto read = decode_into(from, to); !read) return std::unexpected(read.error());
  return to;
}

/// Text to T.
template <class T>
[[nodiscard]] std::expected<T, problem> read(std::string_view text) {
  auto parsed = parse(text);
  if (!parsed) return std::unexpected(parsed.error());
  return decode<T>(*parsed);
}
/// T to text.
template <class T>
std::string write(T const& from) {
  return dump(encode(from));
}

/// The value that equal ones have in common, as if it had been read.
template <class T>
shared<T> share(T one) {
  auto text = write(one);
  auto known = shared<T>::known(text);
  return known ? known : shared<T>::keep(std::move(text), std::move(one));
}

}  // namespace kopiur::json
