#pragma once
#include "common/config/manifest.hpp"
#include "common/config/scalar.hpp"
#include "common/json/codec.hpp"

/// Settings of a service: one described struct with defaults, one YAML file, read strictly.
namespace kopiur::config {

/// A suggestion for a mistyped name: the nearest of `known`, or empty when none is near.
std::string_view nearest(std::string_view typed, std::vector<std::string_view> const& known);

/// `unknown field "cncurrency"; did you mean `concurrency`?`
std::string unknown_field(std::string_view typed, std::vector<std::string_view> const& known);

namespace detail {
template <class T>
void unknown_keys(json::value const& from, std::string const& path, std::vector<std::pair<std::string, std::string>>& out);

template <json::described_struct T>
void unknown_members(json::value const& from, std::string const& path, std::vector<std::pair<std::string, std::string>>& out) {
  auto* members = from.as_object();
  if (!members) return;
  std::vector<std::string_view> known;
  json::for_each_member<T>([&](std::string const& name, auto) { known.push_back(name); });
  for (auto& [name, content] : *members) {
    auto here = path.empty() ? name : path + "." + name;
    bool found = false;
    json::for_each_member<T>([&]<class F>(std::string const& mine, F T::*) {
      if (mine != name) return;
      found = true;
      unknown_keys<F>(content, here, out);
    });
    if (found) continue;
    out.emplace_back(here, unknown_field(name, known));
  }
}

template <class T>
void unknown_keys(json::value const& from, std::string const& path, std::vector<std::pair<std::string, std::string>>& out) {
  if constexpr (json::is_optional<T>::value) {
    unknown_keys<typename T::value_type>(from, path, out);
  } else if constexpr (json::is_vector<T>::value) {
    if (auto* items = from.as_array())
      for (std::size_t i = 0; i < items->size(); ++i)
        unknown_keys<typename T::value_type>((*items)[i], path + "[" + std::to_string(i) + "]", out);
  } else if constexpr (json::is_map<T>::value) {
    if (auto* members = from.as_object())
      for (auto& [name, content] : *members) unknown_keys<typename T::mapped_type>(content, path + "." + name, out);
  } else if constexpr (json::described_struct<T>) {
    unknown_members<T>(from, path, out);
  }
}

/// Gives scalars that were read as text the types that T needs.
template <class T>
void type_scalars(json::value& from) {
  if constexpr (std::is_arithmetic_v<T>) {
    auto typed = from.as_string() ? plain_scalar(*from.as_string()) : std::nullopt;
    if (typed) from = std::move(*typed);
  } else if constexpr (json::is_optional<T>::value) {
    type_scalars<typename T::value_type>(from);
  } else if constexpr (json::is_vector<T>::value) {
    if (auto* items = from.as_array())
      for (auto& item : *items) type_scalars<typename T::value_type>(item);
  } else if constexpr (json::is_map<T>::value) {
    if (auto* members = from.as_object())
      for (auto& [name, content] : *members) type_scalars<typename T::mapped_type>(content);
  } else if constexpr (json::described_struct<T>) {
    json::for_each_member<T>([&]<class F>(std::string const& name, F T::*) {
      if (auto* content = from.find(name)) type_scalars<F>(*content);
    });
  }
}

/// `a.b`, `a[1]`; either may be empty.
std::string joined_path(std::string const& parent, std::string const& child);
}  // namespace detail

/// The members of a value that T does not have: the path of each, and a sentence.
template <class T>
std::vector<std::pair<std::string, std::string>> unknown_fields(json::value const& from, std::string const& path = "") {
  std::vector<std::pair<std::string, std::string>> unknown;
  detail::unknown_keys<T>(from, path, unknown);
  return unknown;
}

/// Reads T from `content`, which is at `path` in the document; the error is the first problem, with its line. A member that the document
/// does not name keeps its default.
template <class T>
[[nodiscard]] std::expected<T, problem> load_part(manifest const& document, json::value content, std::string const& path) {
  if (auto unknown = unknown_fields<T>(content, path); !unknown.empty())
    return std::unexpected(document.blame(unknown.front().first, unknown.front().second));
  if (document.typing == scalar_typing::Text) detail::type_scalars<T>(content);
  auto read = json::decode<T>(content);
  if (!read) return std::unexpected(document.blame(detail::joined_path(path, read.error().where), read.error().what));
  return std::move(*read);
}

/// Reads T from one document.
template <class T>
[[nodiscard]] std::expected<T, problem> load(manifest const& from) {
  return load_part<T>(from, from.content, "");
}

/// Reads T from a file of one document; an empty file gives all defaults.
template <class T>
[[nodiscard]] std::expected<T, problem> load_file(std::filesystem::path const& file) {
  auto documents = read_manifest_file(file);
  if (!documents) return std::unexpected(documents.error());
  if (documents->empty()) return T{};
  if (documents->size() > 1)
    return std::unexpected(problem{file.string(), {}, "", "holds several documents, but settings are one. Remove the others."});
  return load<T>(documents->front());
}

}  // namespace kopiur::config
