#pragma once
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "common/json/frozen.hpp"

/// Which templates of types the codec and the schema tell apart.
namespace kopiur::json {

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
struct is_interned : std::false_type {};
template <class T>
struct is_interned<interned<T>> : std::true_type {};
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

}  // namespace kopiur::json
