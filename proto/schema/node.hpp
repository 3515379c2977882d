#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/json/value.hpp"
#include "proto/core/metadata.hpp"
#include "proto/schema/notes.hpp"

/// A schema as a tree, built once from structs and notes (build.hpp). CRDs, JSON Schemas, AsyncAPI and the validator read it.
namespace kopiur::proto::schema {

struct node {
  enum class shape { Object, Map, List, Text, Integer, Number, Boolean, Anything };

  /// A member and its schema.
  struct field;

  shape type = shape::Anything;
  std::string description;
  std::string format;  ///< int32, int64, date-time; else empty
  limits bounds;
  std::vector<std::string> values;  ///< for an enum
  std::optional<json::value> default_;

  // Object
  std::vector<field> properties;
  std::vector<std::string> required;
  std::vector<std::string> one_of;                        ///< exactly one of these members
  std::vector<std::pair<std::string, std::string>> tags;  ///< the `kind` of a union, if given, and the member that it selects
  std::vector<refused_name> refused;
  std::vector<rule> rules;
  bool open = false;  ///< further members are accepted

  // List, Map
  std::vector<node> item;                   ///< none or one
  std::optional<int> min_items, max_items;  ///< of an Object: members
  std::string map_key;

  // Missing and superfluous notes; empty in a valid tree (checked by a test).
  std::vector<std::string> without_note, note_without_field;

  node const* property(std::string_view name) const;
};

struct node::field {
  std::string name;
  node content;
};

inline node const* node::property(std::string_view name) const {
  for (auto& each : properties)
    if (each.name == name) return &each.content;
  return nullptr;
}

/// The schema of one kind, as its CRD states it.
struct kind_schema {
  kind_info info;
  node root;  ///< apiVersion, kind, metadata (not checked here), spec, status
};

/// kopiur's own kinds, and those of others whose definition it ships.
std::vector<kind_schema> const& kinds();
/// By kind (`BackupConfig`), or nullptr.
kind_schema const* find_kind(std::string_view kind);

/// A message body by the name of its struct.
struct body_schema {
  std::string name;
  node root;
};
/// All bodies that movers read and write or that are sent on the bus, one entry each.
std::vector<body_schema> const& bodies();

/// A subject and its messages. `bodies` are names of body_schemas.
struct channel {
  std::string_view id, address, stream, text;
  std::vector<std::string_view> bodies;
};
/// All subjects, each once. Empty stream: core NATS, not stored.
std::vector<channel> const& channels();

}  // namespace kopiur::proto::schema
