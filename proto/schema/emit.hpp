#pragma once
#include "proto/schema/node.hpp"

/// Emits documents from schema trees.
namespace kopiur::proto::schema {

/// A structural OpenAPI v3 schema with CEL rules, as a CRD carries it.
json::value open_api(node const&);
/// The CustomResourceDefinition of a kind.
json::value crd(kind_schema const&);
/// A JSON Schema (draft 2020-12) of a kind, for editors: unknown members are refused.
json::value json_schema(kind_schema const&);
/// A JSON Schema of a file or a field that users write, and that is no kind: unknown members are refused.
json::value json_schema(std::string title, node const&);
/// The same for a message body: unknown members are accepted, as they are by readers.
json::value json_schema(body_schema const&);
/// AsyncAPI 3.0: all subjects and their messages; bodies are references into `json/`.
json::value async_api();
/// The expressions of the chart's policy on reserved names: condition (`changes`) and message (`message`), as CEL over `object` and
/// `oldObject`.
json::value reserved_names_policy();
/// Reference of all kinds, field by field, in Markdown.
std::string reference(std::vector<kind_schema> const&);

}  // namespace kopiur::proto::schema
