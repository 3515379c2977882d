#pragma once
#include "proto/schema/node.hpp"
#include "proto/validate.hpp"

namespace kopiur::proto::schema {

/// Adds what is wrong with `v` by that schema, in the schema's order. A node's rules are asked only where its structure is sound.
void check(node const& by, json::value const& v, format_checks const& formats, std::vector<finding>& out);

}  // namespace kopiur::proto::schema
