#pragma once
#include <span>

#include "common/config/load.hpp"
#include "services/systems/buckety/config/environment.hpp"
#include "services/systems/buckety/config/secret_text.hpp"

/// Reads a described struct from a part of the file: unknown fields are refused, references to the environment are replaced in fields of
/// type secret_text and refused in all others, and a text field that is not optional must not be empty.
namespace kopiur::buckety {

/// A part of the file, such as the `config:` block of a backend.
struct config_block {
  config::manifest const& file;
  json::value const& content;
  std::string path;  ///< of the block: `backends[1].config`
  environment const& variables;
};

/// The sentence about a required field that is absent or empty.
std::string missing_field(std::string_view field);
/// `unknown mechanism "X"; known are A, B`. An empty value is not among those that it names.
std::string unknown_value(std::string_view field, std::string_view value, std::span<std::string_view const> known);
/// An empty text that is optional is as good as none.
void drop_if_empty(std::optional<std::string>& field);

namespace detail {

/// Checks and completes the fields of a struct; keeps the first problem.
class field_check {
 public:
  explicit field_check(config_block const& block) : block_(block) {}

  void substitute(std::string const& path, secret_text& field);
  /// Text (a value or a key of a map) in which no reference is allowed.
  void refuse_references(std::string const& path, std::string_view text);
  void require_value(std::string const& path, std::string_view field, bool empty);
  std::optional<config::problem> const& failed() const { return failed_; }

 private:
  void fail(std::string const& path, std::string what);

  config_block const& block_;
  std::optional<config::problem> failed_;
};

template <class T>
void check_fields(std::string const& path, T& target, field_check& check) {
  if constexpr (std::same_as<T, secret_text>) {
    check.substitute(path, target);
  } else if constexpr (std::same_as<T, std::string>) {
    check.refuse_references(path, target);
  } else if constexpr (json::is_optional<T>::value) {
    if (target) check_fields(path, *target, check);
  } else if constexpr (json::is_vector<T>::value) {
    for (std::size_t i = 0; i < target.size(); ++i) check_fields(path + "[" + std::to_string(i) + "]", target[i], check);
  } else if constexpr (json::is_map<T>::value) {
    for (auto& [key, value] : target) {
      check.refuse_references(path, key);
      check_fields(config::detail::joined_path(path, key), value, check);
    }
  } else if constexpr (json::described_struct<T>) {
    json::for_each_member<T>([&]<class F>(std::string const& name, F T::* member) {
      auto here = config::detail::joined_path(path, name);
      check_fields(here, target.*member, check);
      if constexpr (std::same_as<F, std::string> || std::same_as<F, secret_text>) check.require_value(here, name, (target.*member).empty());
    });
  }
}

}  // namespace detail

/// Reads T from the block. A block that is absent is read as an empty one.
template <class T>
[[nodiscard]] std::expected<T, config::problem> load_block(config_block const& from) {
  auto content = from.content.is_null() ? json::value::make_object() : from.content;
  auto read = config::load_part<T>(from.file, std::move(content), from.path);
  if (!read) return read;
  detail::field_check check(from);
  detail::check_fields(from.path, *read, check);
  if (check.failed()) return std::unexpected(*check.failed());
  return read;
}

}  // namespace kopiur::buckety
